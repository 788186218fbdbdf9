import { AppError } from '../errors.ts';

/** Why the store cannot commit. `busy` passes by itself; `other` is a fault of ours, such as a violated constraint. */
export type StoreFailure = 'busy' | 'full' | 'readonly' | 'io' | 'corrupt' | 'other';

/** What a person can do about each failure. */
const REMEDY: Record<StoreFailure, string> = {
  busy: 'Another process writes to the database; Drover tries again by itself.',
  full: 'The disk is full. Free some space; Drover tries again every few seconds and needs no restart.',
  readonly:
    'The data directory cannot be written. Make it writable for the user Drover runs as; it tries again by itself.',
  io: 'The disk answers with errors. Check the disk and the file system; Drover tries again by itself.',
  corrupt:
    'The database file is damaged. Stop Drover and restore the last backup with `drover restore FILE`.',
  other: 'Drover could not write to its database and tries again by itself. The log has the details.',
};

/** The store could not do what was asked; the message names the remedy. */
export class StoreError extends AppError {
  readonly failure: StoreFailure;

  constructor(failure: StoreFailure, options: { cause?: unknown } = {}) {
    super('store_unavailable', REMEDY[failure], { ...options, retryAfterMs: 5000 });
    this.failure = failure;
  }
}

/** The words of {@link StoreError} for a failure. */
export function remedyFor(failure: StoreFailure): string {
  return REMEDY[failure];
}
