import { useEffect, useState } from 'react';
import type { Stretch } from './zoom.ts';

/** Values are asked for again once a zoom rests for this long. */
const SETTLE_MS = 250;

/** What somebody zoomed to, and what of it values are asked for; both null: all of the range, up to now. */
export interface ChartWindow {
  readonly zoom: Stretch | null;
  readonly settled: Stretch | null;
  readonly setZoom: (zoom: Stretch | null) => void;
}

/** Keeps what is zoomed to; what is asked for follows when it rests, and at once when all of it is wanted again. */
export function useChartWindow(): ChartWindow {
  const [zoom, setZoom] = useState<Stretch | null>(null);
  const [settled, setSettled] = useState<Stretch | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(zoom), zoom === null ? 0 : SETTLE_MS);
    return () => clearTimeout(timer);
  }, [zoom]);
  return { zoom, settled, setZoom };
}
