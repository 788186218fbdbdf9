import type { UpstreamFailure } from './ports.ts';

/** Takes what a host wrote to its logs, as it came: it may begin and end anywhere, and is not redacted. Cheap. */
export interface LogSink {
  /** `isHistory`: the host's own tail, sent when a stream opened; some or all of it may be held already. */
  append(
    hostId: string,
    chunk: { readonly source: string; readonly text: string; readonly isHistory: boolean },
  ): void;
  /** So many chunks were cut out unread, because they came too fast. */
  dropped(hostId: string, count: number): void;
}

/** What an open log stream tells its owner; exactly one `onClosed` ends it. */
export interface LogStreamListener {
  onText(source: string, text: string): void;
  /** So many chunks were cut out unread. */
  onDropped(count: number): void;
  /** Null: the host ended it, or it was aborted. */
  onClosed(failure: UpstreamFailure | null): void;
}

/**
 * Streams of logs, opened only while somebody watches. They have no header timeout: a host sends no headers before its
 * first byte. Over connections of their own: nothing here can hold up what listens to the host.
 */
export interface LogStreamClient {
  /** `/api/events/logs` (v259+): proxy, upstream and http. */
  openHostLogs(listener: LogStreamListener, signal: AbortSignal): void;
  /** `/logs/stream/<model>` (v218+); its source is the model id. */
  openModelLog(modelId: string, listener: LogStreamListener, signal: AbortSignal): void;
  close(): void | Promise<void>;
}

/** Some hundred lines of a host's log, packed. `seq` null: it has no row yet. */
export interface LogChunk {
  readonly seq: number | null;
  /** When its lines were taken. */
  readonly fromAt: number;
  readonly toAt: number;
  readonly data: Uint8Array;
}

/** Kept log lines; calls run inside the caller's transaction, but for reading. */
export interface LogChunkStore {
  /** Adds a chunk, or replaces the one of that number with what it has become; returns its number. */
  put(hostId: string, chunk: LogChunk): number;
  /** The newest chunk of a host below `seq` that begins at or before `at`; null for either: any. */
  newestBefore(
    hostId: string,
    bound: { readonly seq: number | null; readonly at: number | null },
  ): (LogChunk & { readonly seq: number }) | null;
  oldest(hostId: string): { readonly seq: number; readonly fromAt: number; readonly bytes: number } | null;
  /** Bytes of each host. */
  sizes(): ReadonlyMap<string, number>;
  delete(seq: number): void;
  deleteHost(hostId: string): void;
  hasAny(): boolean;
  /** Deletes up to `count` chunks, whose ever they are; returns how many there were. */
  deleteOldest(count: number): number;
}
