import type { ActivityRow } from '#shared/schemas/activity.ts';
import type { SegmentEntry } from '#shared/schemas/segment.ts';
import type {
  ActivityFilter,
  ActivityTally,
  ApiError,
  HeldByKind,
  HistoryDay,
  HistoryProgress,
  StoredDay,
} from '../types.ts';
import type { WishedDays } from './day-wishes.ts';
import type { ExportFormat } from './export-lines.ts';
import type { HeldPerformance, PerformanceSpan } from './held-performance.ts';
import type { HeldTimeline, TimelineWish } from './held-timeline.ts';
import type { HeldModelEvents, ModelEventSpan } from './model-events.ts';
import type { RowBlock } from './row-block.ts';

/** What the page tells the history worker. */
export type ToHistory =
  /** First message. `database` null: nothing is kept on this device. */
  | { readonly type: 'open'; readonly database: string | null }
  /** Whether the collector can be asked, whether this tab fetches in the background, and the collector's clock. */
  | {
      readonly type: 'policy';
      readonly online: boolean;
      readonly writer: boolean;
      readonly serverOffsetMs: number;
    }
  | { readonly type: 'manifest'; readonly entries: readonly SegmentEntry[] }
  /** Items of the tail document; `whole`: these are all it holds now, others were trimmed. */
  | {
      readonly type: 'tail';
      readonly dictionary: readonly string[];
      readonly items: readonly Uint8Array[];
      readonly whole: boolean;
    }
  | { readonly type: 'query'; readonly queryId: number; readonly filter: ActivityFilter }
  | { readonly type: 'end-query'; readonly queryId: number }
  | { readonly type: 'fetch-day'; readonly callId: number; readonly day: string }
  /** What a person wants kept; sent at once after `open`, and whenever it changes. */
  | { readonly type: 'wishes'; readonly wishes: WishedDays }
  | { readonly type: 'export'; readonly callId: number; readonly format: ExportFormat }
  | { readonly type: 'cancel-export'; readonly callId: number }
  | { readonly type: 'performance'; readonly callId: number; readonly span: PerformanceSpan }
  | { readonly type: 'model-events'; readonly callId: number; readonly span: ModelEventSpan }
  | { readonly type: 'timelines'; readonly callId: number; readonly wishes: readonly TimelineWish[] };

/** How a feed changed: keep the oldest `keep` rows, then append `refs` (block and row in turn, oldest first). */
export interface FeedPatch {
  readonly queryId: number;
  readonly keep: number;
  readonly refs: Uint32Array;
  /** Everything this device holds is in. */
  readonly ready: boolean;
  readonly failed: number;
  readonly gaps: number;
  readonly tally: ActivityTally;
  readonly from: number | null;
  readonly missingDays: readonly string[];
}

/** What the history worker tells the page. */
export type FromHistory =
  | { readonly type: 'block'; readonly blockId: number; readonly block: RowBlock }
  | { readonly type: 'drop-blocks'; readonly blockIds: readonly number[] }
  /** New rows of the tail: the end of a growing block, requests before gaps. */
  | { readonly type: 'live-rows'; readonly blockId: number; readonly rows: readonly ActivityRow[] }
  | ({ readonly type: 'feed' } & FeedPatch)
  | {
      readonly type: 'days';
      readonly days: readonly HistoryDay[];
      readonly stored: readonly StoredDay[];
      /** Bytes of all that is held, by kind. */
      readonly heldByKind: HeldByKind;
      readonly progress: HistoryProgress | null;
    }
  /** Days that were wanted are here. */
  | { readonly type: 'days-arrived'; readonly days: readonly string[] }
  | {
      readonly type: 'export-progress';
      readonly callId: number;
      readonly doneBytes: number;
      readonly totalBytes: number;
    }
  /** `blob` null: see `error`. */
  | {
      readonly type: 'exported';
      readonly callId: number;
      readonly blob: Blob | null;
      readonly error: ApiError | null;
    }
  | { readonly type: 'day-fetched'; readonly callId: number; readonly error: ApiError | null }
  | { readonly type: 'performance'; readonly callId: number; readonly held: HeldPerformance }
  | { readonly type: 'model-events'; readonly callId: number; readonly held: HeldModelEvents }
  | { readonly type: 'timelines'; readonly callId: number; readonly held: readonly HeldTimeline[] }
  /** Rows that the tail gave up and no stored segment has yet. */
  | { readonly type: 'uncovered'; readonly rows: number }
  | { readonly type: 'storage-error'; readonly message: string | null };
