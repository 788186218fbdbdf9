import type { HostProfiles } from '#shared/schemas/host.ts';
import { mapProfiles } from '../domain/map-profiles.ts';
import type { UpstreamResult } from '../domain/ports.ts';
import { readReply, type UpstreamHttp } from './upstream-http.ts';

const TIMEOUT_MS = 4_000;
/** Its pins come along unread. */
export const PROFILES_MAX_BYTES = 1024 * 1024;

/** The profiles a host has and the one that is active (v241+): a line in its log. */
export async function fetchProfiles(
  http: UpstreamHttp,
  signal: AbortSignal,
): Promise<UpstreamResult<HostProfiles>> {
  const reply = await http.get('/api/profiles', {
    signal,
    timeoutMs: TIMEOUT_MS,
    maxBytes: PROFILES_MAX_BYTES,
  });
  return readReply(reply, mapProfiles, http.secrets());
}
