import { useEffect, useState } from 'react';
import type { LogWish } from '#shared/schemas/live.ts';
import { decodeLogFrame } from '#sync/log-frame.ts';
import { createCell, useReadable } from './cell.ts';
import { isSecure } from './environment.ts';
import { frameBatch } from './frame-batch.ts';
import { KeptLogs } from './logs/kept-logs.ts';
import { LogBoard, NO_LOG, type LogLine, type LogView } from './logs/log-board.ts';
import { LogSearch, NO_SEARCH, type SearchView } from './logs/log-search.ts';
import { logWishCell, takeLogFrames } from './logs/log-wish.ts';
import type { SearchAnswer } from './logs/search-lines.ts';
import { logDatabaseName } from './replica/copy-databases.ts';
import { useConnection } from './use-connection.ts';
import { useSession } from './use-session.ts';

/** A log is kept soon after it was opened, and then now and then. */
const FIRST_SAVE_MS = 1_500;
const SAVE_MS = 10_000;

const board = new LogBoard();
const publish = frameBatch(() => board.publish());
const nothing = createCell<LogView>(NO_LOG);

takeLogFrames((body) => {
  const frame = decodeLogFrame(body);
  if (frame === null) return;
  board.add(frame);
  publish();
});

/** The lines of a log while the component stands; what was opened before stays to be read without a connection. */
export function useLog(hostId: string | null, modelId: string | null): LogView {
  useEffect(() => {
    if (hostId === null) return undefined;
    const wish: LogWish = { hostId, modelId };
    logWishCell.set(wish);
    return () => {
      if (logWishCell.get() === wish) logWishCell.set(null);
    };
  }, [hostId, modelId]);
  useKept(hostId, modelId);
  return useReadable(hostId === null ? nothing : board.view({ hostId, modelId }));
}

/** Shows what this device kept of a log, and keeps what comes while it may. */
function useKept(hostId: string | null, modelId: string | null): void {
  const { status, device } = useSession();
  const { kind } = useConnection();
  const deviceId = device?.id ?? null;
  const isLive = status === 'signed-in' && kind === 'live';
  useEffect(() => {
    if (hostId === null || deviceId === null || !isSecure) return undefined;
    const wish: LogWish = { hostId, modelId };
    const kept = keptLogs(deviceId);
    // A device that cannot read or keep shows what comes; that its copy is not saved is said in the frame.
    kept.load(wish).then(
      (log) => log !== null && board.restore(wish, log),
      () => undefined,
    );
    // Only while live: after the copy of a device that was removed is deleted, nothing may bring it back.
    if (!isLive) return undefined;
    let savedAsOf = 0;
    const save = (): void => {
      const log = board.kept(wish);
      if (log === null || log.asOf === savedAsOf) return;
      savedAsOf = log.asOf;
      kept.save(wish, log).catch(() => undefined);
    };
    const first = setTimeout(save, FIRST_SAVE_MS);
    const timer = setInterval(save, SAVE_MS);
    window.addEventListener('pagehide', save);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
      window.removeEventListener('pagehide', save);
    };
  }, [hostId, modelId, deviceId, isLive]);
}

let opened: { readonly deviceId: string; readonly logs: KeptLogs } | null = null;

function keptLogs(deviceId: string): KeptLogs {
  if (opened?.deviceId !== deviceId) {
    opened = { deviceId, logs: new KeptLogs(logDatabaseName(deviceId)) };
  }
  return opened.logs;
}

/** What is held of a log without watching it. */
export function useHeldLog(hostId: string, modelId: string | null): LogView {
  return useReadable(board.view({ hostId, modelId }));
}

/** Where these lines match a pattern; looked for in a thread, so that no pattern can hold up the page. */
export function useLogSearch(pattern: string, lines: readonly LogLine[]): SearchView {
  const [view, setView] = useState<SearchView>(NO_SEARCH);
  const [search] = useState(() => new LogSearch(startThread, setView));
  useEffect(() => search.setPattern(pattern), [search, pattern]);
  useEffect(() => search.setLines(lines), [search, lines]);
  useEffect(() => () => search.stop(), [search]);
  return view;
}

function startThread(onAnswer: (answer: SearchAnswer) => void) {
  const worker = new Worker(new URL('./log-search.worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', (event: MessageEvent<SearchAnswer>) => onAnswer(event.data));
  return { post: worker.postMessage.bind(worker), end: () => worker.terminate() };
}
