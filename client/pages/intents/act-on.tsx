import { roleAllows } from '#shared/schemas/auth.ts';
import type { Session } from '../../data/types.ts';
import { useConnection } from '../../data/use-connection.ts';
import { useSession } from '../../data/use-session.ts';
import type { ActDraft } from './act-drafts.ts';
import type { ActResult } from './act-requests.ts';
import { askAct } from './act-requests.ts';

/** See {@link useActOn}. */
export interface ActOn {
  /**
   * Asks for an action. It is queued at once, or a sheet asks first where something would be cut, woken or waited for.
   * Resolves when that is decided; whoever called need not wait for it.
   */
  readonly act: (draft: ActDraft) => Promise<ActResult>;
  /** Why nothing can be done from this device, in words; null when it can. */
  readonly unavailable: string | null;
  /** The collector is away: what is done now waits on this device. */
  readonly willQueue: boolean;
}

/** The way to act on a host, a model or a request from anywhere. */
export function useActOn(): ActOn {
  const session = useSession();
  const { kind } = useConnection();
  return { act: askAct, unavailable: actBlock(session), willQueue: kind !== 'live' };
}

/** Why a session may not act; null when it may. Every kind of intent needs an operator. */
export function actBlock({ status, role }: Pick<Session, 'status' | 'role'>): string | null {
  if (role === null) return status === 'unknown' ? 'Your role is not known yet.' : 'Sign in to act.';
  return roleAllows(role, 'operator') ? null : `Your role is ${role}: you may look.`;
}
