import type { IntentView } from '#shared/schemas/intent.ts';
import type { Readable } from '../cell.ts';
import type { ConnectionState, Session } from '../types.ts';
import type { OutboxLinkListener, RecordLink } from './outbox-link.ts';
import type { QueueNews } from './queue-rows.ts';
import type { QueueStore } from './queue-store.ts';
import type { IntentEntry, OutboxState } from './types.ts';

/** Where the desk tells what there is. */
export interface DeskOutput {
  readonly showIntents: (entries: readonly IntentEntry[]) => void;
  readonly showOutbox: (state: OutboxState) => void;
}

/** What the desk reads, where it keeps, and where it tells. */
export interface IntentDeskOptions {
  readonly store: QueueStore;
  /** `insecure`: the store lives as long as the page. */
  readonly storage: 'saved' | 'insecure';
  readonly news: QueueNews;
  readonly ledger: Readable<ReadonlyMap<string, IntentView>>;
  readonly session: Readable<Session>;
  readonly connection: Readable<ConnectionState>;
  readonly outboxName: Readable<string | null>;
  readonly offsetMs: () => number;
  readonly openLink: (name: string, listener: OutboxLinkListener) => RecordLink;
  /** Asks the collector who we are and what our outbox is called now. */
  readonly refresh: () => Promise<void>;
  /** What became of an intent that the ledger no longer lists: null when the collector never had it. */
  readonly fateOf: (id: string) => Promise<IntentView | null | 'no-answer'>;
  /** Something is kept here that exists nowhere else. */
  readonly onQueued: () => void;
  readonly output: DeskOutput;
}
