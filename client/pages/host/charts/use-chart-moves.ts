import { useState } from 'react';
import { chartKeys } from './chart-keys.ts';
import type { PlotListener } from './plot.ts';
import type { ChartWindow } from './use-chart-window.ts';
import type { Stretch } from './zoom.ts';
import { following, panned, stepCursor, within, zoomed } from './zoom.ts';

/** Where the cursor of all charts is, and the ways to move it and what is shown. */
export interface ChartMoving {
  readonly cursor: { readonly at: number; readonly isHeld: boolean } | null;
  readonly bounds: Stretch;
  readonly listener: PlotListener;
  readonly pan: (share: number) => void;
  /** Around the middle. */
  readonly zoom: (factor: number) => void;
  /** Does what a key asks for, with the cursor at `at` going along `times`; false: it asks for nothing. */
  readonly onKey: (key: string, at: number | null, times: readonly number[]) => boolean;
}

/** Keeps the cursor of charts that are `whole` as far as nobody zooms. */
export function useChartMoves({ zoom, setZoom }: ChartWindow, whole: Stretch): ChartMoving {
  const [cursor, setCursor] = useState<ChartMoving['cursor']>(null);
  const bounds = zoom ?? whole;
  const spanMs = bounds.to - bounds.from;
  const zoomAround = (factor: number, at: number): void => setZoom(zoomed(bounds, whole, { factor, at }));
  const panBy = (byMs: number): void => setZoom(panned(bounds, whole, byMs));
  const middle = bounds.from + spanMs / 2;
  return {
    cursor,
    bounds,
    pan: (share) => panBy(share * spanMs),
    zoom: (factor) => zoomAround(factor, middle),
    listener: {
      // Leaving with the pointer does not take away what keys put there.
      onPoint: (at) => {
        if (at !== null) setCursor({ at, isHeld: false });
        else if (cursor?.isHeld === false) setCursor(null);
      },
      onTouch: (at) => setCursor({ at, isHeld: true }),
      onSelect: (stretch) => setZoom(within(stretch, whole)),
      onReset: () => setZoom(null),
      onZoom: ({ factor, at }) => zoomAround(factor, at),
      onPan: panBy,
    },
    onKey: (key, at, times) => {
      const keys = chartKeys({
        step: (by) => {
          // What is zoomed to follows a cursor that leaves it.
          const reach = zoom === null ? whole : { from: times[0] ?? bounds.from, to: whole.to };
          const next = stepCursor(times, reach, { at: at ?? bounds.to, by });
          setCursor({ at: next, isHeld: true });
          if (zoom !== null) setZoom(following(bounds, whole, next));
        },
        zoom: (factor) =>
          zoomAround(factor, at !== null && at >= bounds.from && at <= bounds.to ? at : middle),
        pan: (share) => panBy(share * spanMs),
        reset: () => setZoom(null),
      });
      return keys(key);
    },
  };
}
