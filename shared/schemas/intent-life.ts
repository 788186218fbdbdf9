import type { IntentKind } from './intent.ts';

const MINUTE_MS = 60_000;

/** How long an intent of each kind is worth something when it does not say: the collector and a device offline count alike. */
export const INTENT_TTL_MS: Readonly<Record<IntentKind, number>> = {
  'model.load': 5 * MINUTE_MS,
  'model.unload': 5 * MINUTE_MS,
  'request.cancel': 5 * MINUTE_MS,
  'profile.activate': 15 * MINUTE_MS,
  'host.pause': 5 * MINUTE_MS,
  'host.resume': 5 * MINUTE_MS,
};
