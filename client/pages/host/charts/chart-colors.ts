import { useSyncExternalStore } from 'react';

/** What a canvas is drawn with: it does not know CSS variables. */
export interface ChartColors {
  readonly series: readonly string[];
  readonly grid: string;
  readonly axis: string;
  readonly hatch: string;
  readonly bar: string;
  readonly failed: string;
  readonly onFailed: string;
  readonly ready: string;
  readonly readyGround: string;
  readonly busy: string;
  readonly ground: string;
  readonly cursor: string;
}

/** Strokes by series: colour never stands alone. */
const SERIES_DASHES: readonly (readonly number[])[] = [[], [5, 3], [1, 3], [9, 3, 2, 3], [3, 3], [9, 4]];
/** How many lines can be told apart. */
export const SERIES_COUNT = SERIES_DASHES.length;

/** Dashes of a line: the second round of colours gets others. */
export function dashOf(index: number): readonly number[] {
  return SERIES_DASHES[(index + Math.floor(index / SERIES_COUNT)) % SERIES_COUNT] ?? [];
}

const DARK = '(prefers-color-scheme: dark)';
const CONTRAST = '(prefers-contrast: more)';
let known: { readonly key: string; readonly colors: ChartColors } | null = null;

/** Colours of the tokens, anew when the theme changes. */
export function useChartColors(): ChartColors {
  return useSyncExternalStore(subscribe, read);
}

function subscribe(listener: () => void): () => void {
  const lists = [DARK, CONTRAST].map((query) => window.matchMedia(query));
  const observer = new MutationObserver(listener);
  for (const list of lists) list.addEventListener('change', listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => {
    observer.disconnect();
    for (const list of lists) list.removeEventListener('change', listener);
  };
}

function read(): ChartColors {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const series = ['s1', 's2', 's3', 's4', 's5', 's6'].map(token);
  const colors = {
    series,
    grid: token('grid'),
    axis: token('axis'),
    hatch: token('hatch'),
    bar: token('text-3'),
    failed: token('bad'),
    onFailed: token('on-bad'),
    ready: token('ready'),
    readyGround: token('ready-soft'),
    busy: token('busy'),
    ground: token('surface'),
    cursor: token('text-2'),
  };
  const key = JSON.stringify(colors);
  if (known?.key !== key) known = { key, colors };
  return known.colors;
}
