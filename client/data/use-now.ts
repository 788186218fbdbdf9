import type { Readable } from './cell.ts';
import { createCell, useReadable } from './cell.ts';
import { serverNow } from './server-clock.ts';

const tickers = new Map<number, Readable<number>>();

/** Collector time, renewed every `stepMs` by one ticker that all users of that step share. */
export function useNow(stepMs: number): number {
  return useReadable(tickerOf(stepMs));
}

function tickerOf(stepMs: number): Readable<number> {
  const known = tickers.get(stepMs);
  if (known) return known;
  const cell = createCell(serverNow());
  let watchers = 0;
  let timer: ReturnType<typeof setInterval> | null = null;
  const ticker: Readable<number> = {
    get: cell.get,
    subscribe: (listener) => {
      const unsubscribe = cell.subscribe(listener);
      watchers += 1;
      if (timer === null) {
        cell.set(serverNow());
        timer = setInterval(() => cell.set(serverNow()), stepMs);
      }
      return () => {
        unsubscribe();
        watchers -= 1;
        if (watchers > 0 || timer === null) return;
        clearInterval(timer);
        timer = null;
      };
    },
  };
  tickers.set(stepMs, ticker);
  return ticker;
}
