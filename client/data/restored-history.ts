import { createCell, useReadable } from './cell.ts';

const KEY = 'drover.restored-history';

const cell = createCell<number | null>(read());
const news = createCell<number | null>(null);

/** When this device found that the collector's history went back and fetched it anew (collector time); null: never, or read. */
export function useRestoredHistory(): number | null {
  return useReadable(cell);
}

/** The same as news: from when it happened until {@link tellRestoredHistory}, on this page alone. */
export function useRestoredNews(): number | null {
  return useReadable(news);
}

/** Notes that history went back and that the copy here is the one of now. Kept over a reload, never sent. */
export function noteRestoredHistory(at: number): void {
  write(at);
  news.set(at);
}

/** It was said in passing. */
export function tellRestoredHistory(): void {
  news.set(null);
}

/** It was read, or the device left the fleet. */
export function forgetRestoredHistory(): void {
  write(null);
  news.set(null);
}

function write(at: number | null): void {
  cell.set(at);
  try {
    if (at === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, String(at));
  } catch {
    // A browser that stores nothing says it until the page is left.
  }
}

function read(): number | null {
  try {
    const at = Number(localStorage.getItem(KEY) ?? Number.NaN);
    return Number.isSafeInteger(at) ? at : null;
  } catch {
    return null;
  }
}
