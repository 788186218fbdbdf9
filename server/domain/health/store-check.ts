import type { HealthCheck } from '#shared/schemas/info.ts';
import { ageWords, agoWords } from '#shared/lib/age-words.ts';
import { sizeWords } from '../size-words.ts';
import { remedyFor, type StoreFailure } from '../store-error.ts';
import { checkOf } from './check.ts';

/** What is known of the database; null is not known. */
export interface StoreFacts {
  /** Why nothing can be saved, and since when; null while it can. */
  readonly failure: { readonly reason: StoreFailure; readonly since: number } | null;
  /** Rows of history. */
  readonly rows: number | null;
  readonly sizeBytes: number | null;
  readonly lastCommitAt: number | null;
  /** Room on its disk. */
  readonly freeBytes: number | null;
}

const LITTLE_SPACE_BYTES = 1024 ** 3;
const STORE = checkOf('store', 'Store');

/** The database: rows, size, last commit, room on the disk, and why nothing can be saved. */
export function storeCheck(
  { failure, rows, sizeBytes, lastCommitAt, freeBytes }: StoreFacts,
  now: number,
): HealthCheck {
  const free = freeBytes === null ? '' : `${sizeWords(freeBytes)} free.`;
  if (failure !== null) {
    const since = `Nothing could be saved for ${ageWords(now - failure.since)} (${failure.reason}). What is shown was saved before.`;
    return STORE.fail({ detail: joined(since, free), remediation: remedyFor(failure.reason) });
  }
  const amounts = [
    ...(rows === null ? [] : [`${rows.toLocaleString('en-US')} rows of history`]),
    ...(sizeBytes === null ? [] : [sizeWords(sizeBytes)]),
  ].join(', ');
  const commit = lastCommitAt === null ? '' : `Last commit ${agoWords(now - lastCommitAt)}.`;
  const detail = joined(amounts === '' ? 'The database takes writes.' : `${amounts}.`, commit, free);
  if (freeBytes !== null && freeBytes < LITTLE_SPACE_BYTES) {
    return STORE.warn({ detail, remediation: 'Free some disk space: a full disk stops all recording.' });
  }
  return STORE.ok(detail);
}

/** A database that is not there, or that cannot be read: said by whoever looks at the files. */
export function unreadableStore(problem: 'missing' | { readonly reason: string }): HealthCheck {
  return problem === 'missing'
    ? STORE.warn({ detail: 'There is no database yet.', remediation: 'Start the server once.' })
    : STORE.fail({
        detail: `The database cannot be read: ${problem.reason}.`,
        remediation: 'Stop the server. If the file is damaged, restore a backup with "drover restore FILE".',
      });
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}
