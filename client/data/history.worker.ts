import './zod-csp.ts';
import { HistoryEngine } from './history/history-engine.ts';
import type { ToHistory } from './history/messages.ts';
import { SegmentDatabase } from './history/segment-database.ts';
import { fetchSegment } from './history/fetch-segment.ts';
import { MemorySegmentStore } from './history/segment-store.ts';

declare const self: DedicatedWorkerGlobalScope;

const engine = new HistoryEngine({
  openStore: (database, onLost) =>
    database === null ? new MemorySegmentStore() : new SegmentDatabase(database, onLost),
  fetchSegment,
  hashBytes,
  post: (message, transfer = []) => self.postMessage(message, transfer),
  now: () => Date.now(),
  setTimer: (task, delayMs) => void setTimeout(task, delayMs),
});

self.addEventListener('message', (event: MessageEvent<ToHistory>) => {
  // A step that throws is a bug: the page hears of it by the worker's error event, and the next step still runs.
  engine.handle(event.data).catch((error: unknown) => reportError(error));
});

async function hashBytes(bytes: Uint8Array): Promise<string | null> {
  if (!self.isSecureContext) return null;
  const digest = await crypto.subtle.digest('SHA-256', Uint8Array.from(bytes));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
