import type { LiveNews } from '#shared/schemas/live.ts';
import { useReadable } from './cell.ts';
import { createCellsByKey } from './cells-by-key.ts';

/** How often each kind of news was heard since the page opened. */
export const newsHeard = createCellsByKey<number>(0);

/** The collector says that this changed: whoever shows it asks again. */
export function tellNews(news: LiveNews): void {
  const cell = newsHeard.at(news);
  cell.set(cell.get() + 1);
}

/** How often it was said that `news` changed: what shows it asks again when this moves. */
export function useNews(news: LiveNews): number {
  return useReadable(newsHeard.at(news));
}
