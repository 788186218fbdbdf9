import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { keptLogEntry, type KeptLogEntry } from '#shared/schemas/log.ts';

/** A chunk is far smaller; damaged bytes must not fill the memory. */
const MAX_UNPACKED = 16 * 1024 * 1024;

const chunkEntries = z.array(keptLogEntry);

/** Entries as a chunk holds them: JSON, gzip'd. */
export function packEntries(entries: readonly KeptLogEntry[]): Uint8Array {
  return gzipSync(JSON.stringify(entries), { level: 4 });
}

/** Lines of a chunk; none where its bytes are damaged. */
export function unpackEntries(data: Uint8Array): KeptLogEntry[] {
  try {
    const parsed = chunkEntries.safeParse(
      JSON.parse(gunzipSync(data, { maxOutputLength: MAX_UNPACKED }).toString('utf8')),
    );
    return parsed.success ? parsed.data : [];
  } catch {
    return [];
  }
}
