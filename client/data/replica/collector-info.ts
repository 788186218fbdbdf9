import { routes } from '#shared/http/routes.ts';
import { PROTOCOL_VERSION } from '#shared/protocol-version.ts';
import type { Info } from '#shared/schemas/info.ts';
import { callApi } from '../call-api.ts';
import { setServerOffset } from '../server-clock.ts';

/** What `GET /api/info` means for this app. */
export type CollectorInfo =
  | { readonly type: 'signed-in'; readonly info: Info & { readonly role: NonNullable<Info['role']> } }
  | { readonly type: 'signed-out' }
  /** The collector speaks a newer protocol. */
  | { readonly type: 'too-old' }
  | { readonly type: 'no-answer'; readonly message: string };

/** Asks the collector who we are to it and what its documents are called, and sets the clock by it. */
export async function askCollector(): Promise<CollectorInfo> {
  const askedAt = Date.now();
  const answer = await callApi(routes.info);
  if (!answer.ok) return { type: 'no-answer', message: answer.message };
  const info = answer.value;
  setServerOffset(Math.round(info.serverTime - (askedAt + Date.now()) / 2));
  if (info.protocol > PROTOCOL_VERSION) return { type: 'too-old' };
  return info.role === undefined
    ? { type: 'signed-out' }
    : { type: 'signed-in', info: { ...info, role: info.role } };
}
