import type { HealthCheck } from '#shared/schemas/info.ts';
import type { KeptLogEntry, KeptLogsPage, KeptLogsQuery } from '#shared/schemas/log.ts';
import type { LogFrame } from '#sync/log-frame.ts';
import type { LogChunkStore } from '../domain/log-ports.ts';
import type { Clock, HealthSource, Log } from '../domain/ports.ts';
import { sizeWords } from '../domain/size-words.ts';
import { StoreError } from '../domain/store-error.ts';
import { DELETE_CHUNKS, deleteOverBudget, totalOf } from './log-budget.ts';
import { packEntries, unpackEntries } from './log-chunk-pack.ts';
import type { LogFollower, LogHub } from './log-hub.ts';

/** What comes is on disk after this at the latest. */
const FLUSH_MS = 5_000;
/** More than this is written sooner. */
const FLUSH_CHARS = 1024 * 1024;
/** A chunk is closed at this much text: gzip'd some 6 KB. */
const CHUNK_CHARS = 64 * 1024;
/** While the disk takes nothing, this much waits; the rest is counted. */
const MAX_PENDING_CHARS = 8 * 1024 * 1024;
/** Lines that a page holds at least, where there are so many. */
const PAGE_ENTRIES = 500;
/** Between two lots of chunks that are deleted. */
const DELETE_PAUSE_MS = 100;
/** Chunks that are read to fill the tail of a host at the start. */
const SEED_CHUNKS = 8;

/** What an archive works with. */
export interface LogArchiveOptions {
  readonly hub: LogHub;
  readonly store: LogChunkStore;
  /** One transaction; throws `StoreError` when nothing was kept. */
  readonly transact: <T>(work: () => T) => T;
  /** Bytes that kept lines may take in all; 0: nothing is kept. */
  readonly budgetBytes: number;
  readonly clock: Clock;
  readonly log: Log;
}

interface OpenChunk {
  /** Null: it has no row yet. */
  seq: number | null;
  bytes: number;
  entries: KeptLogEntry[];
  chars: number;
  fromAt: number;
  toAt: number;
  isDirty: boolean;
  /** Its entries as they are written; null since they changed. */
  packed: Uint8Array | null;
}

/** What one commit did. */
interface Written {
  readonly sizes: Map<string, number>;
  readonly written: readonly { readonly seq: number; readonly bytes: number }[];
  readonly gone: ReadonlySet<number>;
}

/**
 * Keeps the log lines of hosts on disk, redacted, within a budget of bytes: past it the oldest chunk of the host that holds
 * most goes, so that a host that floods loses its own past. It reads like any other reader, so what is too much for a
 * reader is counted here, too. Chunks of a moment are one commit; a crash costs the last seconds.
 */
export class LogArchive implements HealthSource {
  readonly #options: LogArchiveOptions;
  readonly #followers = new Map<string, LogFollower>();
  /** The newest chunk of each host, which still grows; closed ones that wait for their commit stand before it. */
  readonly #open = new Map<string, OpenChunk[]>();
  #bytes = new Map<string, number>();
  #pendingChars = 0;
  #lostLines = 0;
  #cancel: (() => void) | null = null;
  #failure: string | null = null;

  constructor(options: LogArchiveOptions) {
    this.#options = options;
  }

  get isOn(): boolean {
    return this.#options.budgetBytes > 0;
  }

  /** Begins to keep the lines of these hosts, and gives the hub those that were kept before. */
  start(hostIds: readonly string[]): void {
    if (!this.isOn) {
      this.#clear();
      return;
    }
    this.#bytes = new Map(this.#options.store.sizes());
    for (const hostId of hostIds) this.add(hostId);
    // The budget may have been lowered.
    if (this.#usedBytes() > this.#options.budgetBytes) this.#schedule(DELETE_PAUSE_MS);
  }

  /** Writes what waits, and ends. */
  stop(): void {
    this.flush();
    this.#cancel?.();
    this.#cancel = null;
    for (const follower of this.#followers.values()) this.#options.hub.watch(follower, null);
    this.#followers.clear();
  }

  add(hostId: string): void {
    if (!this.isOn || this.#followers.has(hostId)) return;
    const { hub } = this.#options;
    const seed = this.#seedOf(hostId);
    if (seed.length > 0) hub.seed(hostId, seed);
    const follower: LogFollower = { bufferedBytes: 0, take: (frame) => this.#take(hostId, frame) };
    this.#followers.set(hostId, follower);
    hub.watch(follower, { hostId, modelId: null }, { fromNow: true });
  }

  /** The host was removed: what was written of it stays until the budget needs its place, or went with the host. */
  remove(hostId: string): void {
    const follower = this.#followers.get(hostId);
    if (!follower) return;
    this.#followers.delete(hostId);
    this.#options.hub.watch(follower, null);
    this.#open.delete(hostId);
    this.#bytes = new Map(this.#options.store.sizes());
  }

  /** A page of kept lines of a host, see `keptLogsQuery`. */
  page({ hostId, before, cursor }: KeptLogsQuery): KeptLogsPage {
    if (!this.isOn) return { entries: [], nextCursor: null, keptFrom: null };
    const { store } = this.#options;
    // What waits for a disk that takes nothing cannot be read yet.
    if (this.#failure === null) this.flush();
    const until = before ?? Number.MAX_SAFE_INTEGER;
    const keptFrom = store.oldest(hostId)?.fromAt ?? null;
    let entries: KeptLogEntry[] = [];
    let at = cursor ?? null;
    while (entries.length < PAGE_ENTRIES) {
      const chunk = store.newestBefore(hostId, { seq: at, at: before ?? null });
      if (!chunk) return { entries, nextCursor: null, keptFrom };
      at = chunk.seq;
      // What has no time came no later than the line after it.
      const read = unpackEntries(chunk.data);
      const end = read.findLastIndex((entry) => entry.at !== null && entry.at <= until);
      const isWhole = chunk.toAt <= until;
      entries = [...(isWhole ? read : read.slice(0, end + 1)), ...entries];
    }
    const isLast = store.oldest(hostId)?.seq === at;
    return { entries, nextCursor: isLast ? null : at, keptFrom };
  }

  /** Writes what waits, now. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = null;
    const dirty = [...this.#open].flatMap(([hostId, chunks]) =>
      chunks.filter(({ isDirty }) => isDirty).map((chunk) => ({ hostId, chunk })),
    );
    const { store, transact, budgetBytes } = this.#options;
    if (dirty.length === 0 && this.#usedBytes() <= budgetBytes) return;
    try {
      const bytes = transact(() => {
        const sizes = new Map(this.#bytes);
        const written = dirty.map(({ hostId, chunk }) => {
          // Packed only now, and once: a store that takes nothing costs no more than the first chunk of each attempt.
          const data = (chunk.packed ??= packEntries(chunk.entries));
          sizes.set(hostId, (sizes.get(hostId) ?? 0) + data.byteLength - chunk.bytes);
          const { seq, fromAt, toAt } = chunk;
          return { seq: store.put(hostId, { seq, fromAt, toAt, data }), bytes: data.byteLength };
        });
        const gone = deleteOverBudget(store, sizes, budgetBytes);
        return { sizes, written, gone };
      });
      this.#settle(dirty, bytes);
      this.#failure = null;
      if (bytes.gone.size === DELETE_CHUNKS) this.#schedule(DELETE_PAUSE_MS);
    } catch (error) {
      this.#failed(error);
      this.#schedule(FLUSH_MS);
    }
  }

  health(): readonly HealthCheck[] {
    const remediation = this.#failure === null ? null : 'See the store: it takes no writes.';
    if (!this.isOn) {
      if (this.#failure === null) return [];
      const detail = `Lines of before cannot be deleted: ${this.#failure}.`;
      return [{ name: 'log archive', state: 'warn', detail, remediation }];
    }
    const held = `${sizeWords(this.#usedBytes())} of ${sizeWords(this.#options.budgetBytes)} of log lines are kept`;
    const lost =
      this.#lostLines === 0 ? '' : `; ${this.#lostLines} lines were lost while the disk took nothing`;
    return [
      {
        name: 'log archive',
        state: this.#failure === null ? 'ok' : 'warn',
        detail: this.#failure === null ? `${held}${lost}.` : `Lines cannot be kept: ${this.#failure}${lost}.`,
        remediation,
      },
    ];
  }

  #usedBytes(): number {
    return totalOf(this.#bytes);
  }

  /** Who turns it off wants nothing kept. A store that takes no writes is asked again. */
  #clear(): void {
    const { store, transact, clock } = this.#options;
    this.#cancel = null;
    try {
      const isMore = store.hasAny() && transact(() => store.deleteOldest(DELETE_CHUNKS)) === DELETE_CHUNKS;
      this.#failure = null;
      if (isMore) this.#cancel = clock.after(DELETE_PAUSE_MS, () => this.#clear());
    } catch (error) {
      this.#failed(error);
      this.#cancel = clock.after(FLUSH_MS, () => this.#clear());
    }
  }

  #failed(error: unknown): void {
    if (!(error instanceof StoreError))
      this.#options.log.error({ error: String(error) }, 'the log archive could not be written');
    this.#failure = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
  }

  #take(hostId: string, { entries, at }: LogFrame): void {
    if (entries.length === 0) return;
    const chunks = this.#open.get(hostId) ?? [];
    this.#open.set(hostId, chunks);
    for (const entry of entries) {
      if (this.#pendingChars > MAX_PENDING_CHARS) {
        this.#lostLines += 1;
        continue;
      }
      let chunk = chunks.at(-1);
      if (!chunk || chunk.chars >= CHUNK_CHARS) {
        chunk = {
          seq: null,
          bytes: 0,
          entries: [],
          chars: 0,
          fromAt: at,
          toAt: at,
          isDirty: true,
          packed: null,
        };
        chunks.push(chunk);
      }
      const chars = entry.type === 'line' ? entry.text.length + 48 : 48;
      chunk.entries.push(entry);
      chunk.chars += chars;
      chunk.toAt = at;
      chunk.isDirty = true;
      chunk.packed = null;
      this.#pendingChars += chars;
    }
    const isUrgent = this.#pendingChars > FLUSH_CHARS && this.#failure === null;
    this.#schedule(isUrgent ? 0 : FLUSH_MS);
  }

  #schedule(delayMs: number): void {
    if (this.#cancel !== null && delayMs > 0) return;
    this.#cancel?.();
    this.#cancel = this.#options.clock.after(delayMs, () => {
      this.#cancel = null;
      this.flush();
    });
  }

  #settle(dirty: readonly { readonly chunk: OpenChunk }[], { sizes, written, gone }: Written): void {
    for (const [index, { chunk }] of dirty.entries()) {
      const row = written[index];
      chunk.seq = row?.seq ?? null;
      chunk.bytes = row?.bytes ?? 0;
      chunk.isDirty = false;
      chunk.packed = null;
    }
    this.#bytes = sizes;
    this.#pendingChars = 0;
    for (const [hostId, chunks] of this.#open) {
      const growing = chunks.filter(
        ({ seq, chars }) => chars < CHUNK_CHARS && !(seq !== null && gone.has(seq)),
      );
      this.#open.set(hostId, growing.slice(-1));
    }
  }

  #seedOf(hostId: string): readonly KeptLogEntry[] {
    const chunks: KeptLogEntry[][] = [];
    let seq: number | null = null;
    for (let count = 0; count < SEED_CHUNKS; count += 1) {
      const chunk = this.#options.store.newestBefore(hostId, { seq, at: null });
      if (!chunk) break;
      chunks.unshift(unpackEntries(chunk.data));
      seq = chunk.seq;
    }
    return chunks.flat();
  }
}
