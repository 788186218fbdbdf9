import { boundedText } from '#shared/lib/bounded-text.ts';
import type { HostProfiles } from '#shared/schemas/host.ts';
import { profileRow, profilesReply } from '#shared/upstream/host-replies.ts';
import { readRows } from '#shared/upstream/lenient.ts';

/** A person chooses from them: more than this is no list to choose from. */
const MAX_PROFILES = 64;
/** As long as the name of a profile may be in an order. */
const MAX_ID = 256;
const MAX_DESCRIPTION = 200;

/** The answer of `/api/profiles`; null when it is none. A name too long to be ordered by is left out, never cut. */
export function mapProfiles(json: unknown): HostProfiles | null {
  const reply = profilesReply.safeParse(json);
  const rows = reply.success ? readRows(profileRow, reply.data.profiles) : null;
  if (!reply.success || rows === null) return null;
  const names = rows.rows
    .filter(({ id }) => id !== '' && boundedText(id, MAX_ID) === id)
    .slice(0, MAX_PROFILES)
    .map(({ id, description }) => ({ id, description: boundedText(description ?? '', MAX_DESCRIPTION) }));
  return { active: mapActiveProfile(reply.data.active), names };
}

/** The name of the active profile; null for none. */
export function mapActiveProfile(name: string | null | undefined): string | null {
  return name ? boundedText(name, 512) : null;
}
