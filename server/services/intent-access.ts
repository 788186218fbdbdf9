import type { Authenticator } from '../domain/identity.ts';
import type { IntentService } from './intent-service.ts';

/** Looks at what waits when somebody is removed or given another role: nothing may go on waiting that nobody may do. */
export function followAccess(
  auth: Pick<Authenticator, 'onEnded' | 'onChanged'>,
  intents: Pick<IntentService, 'recheck'>,
): void {
  auth.onEnded(() => intents.recheck());
  auth.onChanged(() => intents.recheck());
}
