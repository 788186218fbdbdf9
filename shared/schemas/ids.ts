import * as z from 'zod/mini';

/** Host id: 1–32 characters of `a-z0-9-`, not starting with a dash; chosen by the operator, never reused for another machine. */
export const hostId = z
  .string()
  .check(
    z.regex(
      /^[a-z0-9][a-z0-9-]{0,31}$/,
      'a host id is 1 to 32 characters of a-z, 0-9 and -, not starting with -',
    ),
  );

/**
 * Model id exactly as llama-swap has it: any string, case kept, may hold slashes, colons, spaces or be empty.
 * Longer than 1,024 characters is refused: ids in activity rows are chosen by whoever sends a request.
 */
export const modelId = z.string().check(z.maxLength(1024));

/** Epoch milliseconds, UTC. */
export const epochMs = z.int().check(z.minimum(-8.64e15), z.maximum(8.64e15));

/** Lower-case hex SHA-256 of stored bytes. */
export const contentHash = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'a content hash is 64 hex digits'));
