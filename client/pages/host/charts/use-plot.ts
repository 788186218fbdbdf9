import type { RefObject } from 'react';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { ChartColors } from './chart-colors.ts';
import { Plot } from './plot.ts';
import type { PlotData, PlotListener } from './plot.ts';

/** What a plot is made of, and what it tells. */
export interface PlotWish extends PlotListener {
  readonly data: PlotData;
  readonly colors: ChartColors;
  readonly syncKey: string;
  /** Where keys put the cursor; null: they did not. */
  readonly keyed: number | null;
}

/** Keeps a plot in an element, as wide as it is: made anew for other colours or lines, drawn anew for other values. */
export function usePlot(element: RefObject<HTMLElement | null>, wish: PlotWish): void {
  const { data, colors, syncKey, keyed } = wish;
  const plot = useRef<Plot | null>(null);
  const newest = useEffectEvent(() => wish);
  const lines = data.chart.series.map(({ key }) => key).join(' ');
  useEffect(() => {
    const target = element.current;
    // Other lines need another plot, whatever else stays.
    if (target === null || lines === '') return undefined;
    const made = new Plot(
      target,
      { colors, syncKey, data: newest().data },
      {
        onCursor: (index) => newest().onCursor(index),
        onZoom: (stretch) => newest().onZoom(stretch),
      },
    );
    const observer = new ResizeObserver(() => made.resize(target.clientWidth));
    observer.observe(target);
    made.point(newest().keyed);
    plot.current = made;
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [element, colors, syncKey, lines]);
  useEffect(() => {
    plot.current?.update(data);
    plot.current?.point(keyed);
  }, [data, keyed]);
}
