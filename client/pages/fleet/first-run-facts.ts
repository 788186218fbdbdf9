import type { ApiReply } from '../../data/call-api.ts';
import type { routes } from '#shared/http/routes.ts';

/** What the collector knows for a first run: a llama-swap that answers beside it, and the way to a phone. */
export type FirstRunFacts = ApiReply<typeof routes.firstRun>;

/** True for a page that was opened on the machine the server runs on. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
