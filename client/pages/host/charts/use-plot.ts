import type { RefObject } from 'react';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { ChartColors } from './chart-colors.ts';
import { Plot } from './plot.ts';
import type { PlotData, PlotListener, PlotLook } from './plot.ts';

/** What a plot is made of, and what it tells. */
export interface PlotWish {
  readonly look: PlotLook;
  readonly data: PlotData;
  readonly colors: ChartColors;
  readonly syncKey: string;
  /** Where keys or a finger put the cursor; null: they did not. */
  readonly held: number | null;
  readonly listener: PlotListener;
}

/** Keeps a plot in an element, as wide as it is: made anew for other colours or another look, drawn anew for other values. */
export function usePlot(element: RefObject<HTMLElement | null>, wish: PlotWish): void {
  const { look, data, colors, syncKey, held } = wish;
  const plot = useRef<Plot | null>(null);
  const newest = useEffectEvent(() => wish);
  const { key, height } = look;
  useEffect(() => {
    const target = element.current;
    if (target === null) return undefined;
    const { look, data, held } = newest();
    const made = new Plot(
      target,
      { look: { ...look, key, height }, colors, syncKey, data },
      {
        onPoint: (at) => newest().listener.onPoint(at),
        onTouch: (at) => newest().listener.onTouch(at),
        onSelect: (stretch) => newest().listener.onSelect(stretch),
        onReset: () => newest().listener.onReset(),
        onZoom: (step) => newest().listener.onZoom(step),
        onPan: (byMs) => newest().listener.onPan(byMs),
      },
    );
    const observer = new ResizeObserver(() => made.resize(target.clientWidth));
    observer.observe(target);
    made.point(held);
    plot.current = made;
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [element, colors, syncKey, key, height]);
  useEffect(() => {
    plot.current?.update(data);
    plot.current?.point(held);
  }, [data, held]);
}
