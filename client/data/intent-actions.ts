import type { IntentDraft } from './intents/types.ts';
import type { IntentDesk } from './intents/intent-desk.ts';
import type { Result } from './types.ts';

/** Id of an intent that was made. */
export type Made = Result<{ readonly id: string }>;

/**
 * Puts an action into this device's queue; it goes to the collector by itself. Resolves when it is stored on this device,
 * or says why it is not.
 */
export function queueIntent(draft: IntentDraft): Promise<Made> {
  return atDesk((desk) => desk.queue(draft));
}

/** Takes an intent back: here while it never left, else by asking the collector, which does it until it is claimed. */
export function cancelIntent(id: string): Promise<Result<null>> {
  return atDesk((desk) => desk.cancel(id));
}

/** Replaces an intent that is not claimed by one that is void at `untilMs` (collector time); never both are executed. */
export function changeExpiry(id: string, untilMs: number): Promise<Made> {
  return atDesk((desk) => desk.changeExpiry(id, untilMs));
}

/** Asks for the same once more, as a new intent: with its conditions, without what was confirmed then. */
export function askAgain(id: string): Promise<Made> {
  return atDesk((desk) => desk.askAgain(id));
}

/** The person has read how it ended. */
export function dismissIntent(id: string): Promise<Result<null>> {
  return atDesk((desk) => desk.dismiss(id));
}

/** Decides on what waited too long: `send` goes now, `drop` never does, the rest waits on. */
export function decideReview(send: readonly string[], drop: readonly string[]): Promise<Result<null>> {
  return atDesk((desk) => desk.decideReview(send, drop));
}

/** Everything the collector is not known to have, as JSON for a person to keep. */
export async function exportUnsent(): Promise<Blob> {
  const { intentDesk } = await loadDesk();
  return intentDesk().exportUnsent();
}

function loadDesk(): Promise<typeof import('./intents/start-intents.ts')> {
  return import('./intents/start-intents.ts');
}

async function atDesk<T>(act: (desk: IntentDesk) => Promise<Result<T>>): Promise<Result<T>> {
  const code = await loadDesk().catch(() => null);
  if (code !== null) return act(code.intentDesk());
  const message = 'The app could not be loaded whole. Nothing was queued.';
  return { ok: false, status: null, code: 'network', message, retryAfterMs: null, details: [] };
}
