import { routes } from '#shared/http/routes.ts';
import type { IntentView } from '#shared/schemas/intent.ts';
import { callApi } from '../call-api.ts';
import { connectionCell } from '../connection-state.ts';
import { isSecure } from '../environment.ts';
import { keepStorage, persistCell } from '../keep-storage.ts';
import { QUEUE_DATABASE } from '../replica/document-database.ts';
import { replicaService } from '../replica-instance.ts';
import { serverOffsetMs } from '../server-clock.ts';
import { sessionCell } from '../session-state.ts';
import { syncUrl } from '../sync-url.ts';
import {
  intentById,
  intentsByHost,
  intentsCell,
  ledgerCell,
  outboxCell,
  outboxNameCell,
} from './intent-cells.ts';
import { IntentDesk } from './intent-desk.ts';
import { MemoryQueueStore } from './memory-queue-store.ts';
import { OutboxLink } from './outbox-link.ts';
import { QueueDatabase } from './queue-database.ts';
import type { QueueNews } from './queue-rows.ts';
import type { IntentEntry, OutboxState } from './types.ts';

let desk: IntentDesk | null = null;

/** The one desk of this page, started on first use. It ends with the page. */
export function intentDesk(): IntentDesk {
  desk ??= startDesk();
  return desk;
}

function startDesk(): IntentDesk {
  const started = new IntentDesk({
    store: isSecure ? new QueueDatabase(QUEUE_DATABASE) : new MemoryQueueStore(),
    storage: isSecure ? 'saved' : 'insecure',
    news: tabNews(),
    ledger: ledgerCell,
    session: sessionCell,
    connection: connectionCell,
    outboxName: outboxNameCell,
    offsetMs: serverOffsetMs,
    openLink: (name, listener) => new OutboxLink(syncUrl(), name, listener),
    refresh: () => replicaService.refresh(),
    fateOf,
    onQueued: () => {
      if (persistCell.get() === 'not-asked') void keepStorage();
    },
    output: { showIntents, showOutbox },
  });
  started.start(new AbortController().signal);
  addEventListener('online', () => started.flushNow());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') started.flushNow();
  });
  return started;
}

async function fateOf(id: string): Promise<IntentView | null | 'no-answer'> {
  const answer = await callApi(routes.getIntent, { params: { id } });
  if (answer.ok) return answer.value;
  return answer.status === 404 ? null : 'no-answer';
}

function tabNews(): QueueNews {
  const channel = new BroadcastChannel('drover/queue');
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin only
    tell: () => channel.postMessage(null),
    onNews: (listener) => channel.addEventListener('message', listener),
    close: () => channel.close(),
  };
}

function showIntents(entries: readonly IntentEntry[]): void {
  if (isSame(entries, intentsCell.get())) return;
  intentsCell.set(entries);
  const ids = new Set(entries.map(({ id }) => id));
  for (const id of intentById.keys()) if (!ids.has(id)) intentById.at(id).set(null);
  for (const entry of entries) intentById.at(entry.id).set(entry);
  const byHost = Map.groupBy(entries, ({ target }) => target.hostId ?? '');
  for (const hostId of new Set([...intentsByHost.keys(), ...byHost.keys()])) {
    const cell = intentsByHost.at(hostId);
    const next = byHost.get(hostId) ?? [];
    if (!isSame(next, cell.get())) cell.set(next);
  }
}

function showOutbox(state: OutboxState): void {
  if (JSON.stringify(state) !== JSON.stringify(outboxCell.get())) outboxCell.set(state);
}

function isSame(a: readonly IntentEntry[], b: readonly IntentEntry[]): boolean {
  return a.length === b.length && a.every((entry, index) => entry === b[index]);
}
