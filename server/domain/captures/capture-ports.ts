import type { ActivityRequest } from '#shared/schemas/activity.ts';
import type { CaptureContent, CaptureKey } from '#shared/schemas/capture.ts';
import type { UpstreamResult } from '../ports.ts';
import type { ReadCapture } from './read-capture.ts';

/** A capture as it is kept. */
export interface StoredCapture {
  readonly fetchedAt: number;
  readonly content: CaptureContent;
}

/** Later requests are counted up to here: further on it makes no difference how many there are. */
export const MAX_LATER_ROWS = 1000;

/** What is known of a request and of others of its host, from which follows why there is no capture. */
export interface CaptureContext {
  readonly row: ActivityRequest;
  /** False: the host has given its ids anew since, and this one may be another request's there. */
  readonly isCurrentEpoch: boolean;
  /** Requests that ended later in that epoch, {@link MAX_LATER_ROWS} at most. */
  readonly laterRows: number;
  /** Of the newest requests that succeeded (at most 50), and how many of them had a capture. */
  readonly recentRows: number;
  readonly recentCaptures: number;
}

/** How much is kept of captures. */
export interface CaptureTotals {
  readonly count: number;
  readonly bytes: number;
}

/** Captures that were opened, the least recently opened ones given up first. */
export interface CaptureStore {
  /** Null: it is not kept, or cannot be read any more. Reading counts as opening. */
  open(key: CaptureKey, now: number): StoredCapture | null;
  /** Keeps it, and gives up others until all of them fit into `maxTotalBytes`. */
  put(key: CaptureKey, capture: StoredCapture, maxTotalBytes: number): void;
  /** Null: there is no such request in the history. */
  row(key: CaptureKey): ActivityRequest | null;
  /** As `row`, with what is around it: asked for where the capture is not kept. */
  context(key: CaptureKey): CaptureContext | null;
  totals(): CaptureTotals;
  /** Drops what is kept of requests the history has no row of any more. */
  dropOrphans(): void;
  /** Drops all captures of a host. */
  deleteHost(hostId: string): void;
}

/** Asks one host for captures, over connections of its own until `close`. */
export interface CaptureClient {
  /** The answer as it came, null when the host has no such capture. */
  capture(id: number, signal: AbortSignal): Promise<UpstreamResult<string | null>>;
  close(): Promise<void>;
}

/** Reads captures where it holds up nobody; rejects with `AppError` when one takes too long or too much. */
export interface CaptureReader {
  /** Null: it is no capture. */
  read(text: string, secrets: readonly string[]): Promise<ReadCapture | null>;
}
