import { useEffect, useState } from 'react';
import type { LogWish } from '#shared/schemas/live.ts';
import { decodeLogFrame } from '#sync/log-frame.ts';
import { createCell, useReadable } from './cell.ts';
import { frameBatch } from './frame-batch.ts';
import { LogBoard, NO_LOG, type LogLine, type LogView } from './logs/log-board.ts';
import { LogSearch, NO_SEARCH, type SearchView } from './logs/log-search.ts';
import { logWishCell, takeLogFrames } from './logs/log-wish.ts';
import type { SearchAnswer } from './logs/search-lines.ts';

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
  return useReadable(hostId === null ? nothing : board.view({ hostId, modelId }));
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
