import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatClock, formatDate, isSameDay } from '../../../ui/format.ts';
import type { ChartColors } from './chart-colors.ts';
import { SERIES_COUNT, SERIES_DASHES } from './chart-colors.ts';
import type { ChartView } from './chart-view.ts';
import { hatchGaps } from './hatch-gaps.ts';
import type { ChartGap } from './time-axis.ts';

/** What is drawn, between two moments. */
export interface PlotData {
  readonly chart: ChartView;
  readonly times: readonly number[];
  readonly gaps: readonly ChartGap[];
  readonly from: number;
  readonly to: number;
}

/** What the owner of a {@link Plot} hears. */
export interface PlotListener {
  /** The pointer is at this moment of the axis; null: at none. */
  readonly onCursor: (index: number | null) => void;
  /** A stretch was drawn over; null: all of it is wanted again. */
  readonly onZoom: (stretch: { readonly from: number; readonly to: number } | null) => void;
}

const HEIGHT = 132;
const Y_AXIS = 44;
const NICE = [1, 1.5, 2, 3, 4, 5, 6, 8, 10] as const;
/** A stretch shorter than this on the screen is a click. */
const MIN_DRAG_PX = 8;

/** One chart on a canvas. All plots of a `syncKey` have one cursor. */
export class Plot {
  readonly #plot: uPlot;
  #gaps: readonly ChartGap[] = [];
  #max: number | null;
  #isKeyed = false;

  constructor(
    element: HTMLElement,
    look: { readonly colors: ChartColors; readonly syncKey: string; readonly data: PlotData },
    listener: PlotListener,
  ) {
    const { colors, syncKey, data } = look;
    this.#max = data.chart.max;
    const axis = { stroke: colors.axis, font: axisFont(element), ticks: { show: false } };
    this.#plot = new uPlot(
      {
        width: Math.max(120, element.clientWidth),
        height: HEIGHT,
        ms: 1,
        padding: [8, 20, 0, 0],
        legend: { show: false },
        cursor: {
          y: false,
          sync: { key: syncKey, setSeries: false },
          drag: { x: true, y: false, setScale: false },
          points: { size: 7, width: 2, fill: colors.ground },
          bind: {
            dblclick: () => () => {
              listener.onZoom(null);
              return null;
            },
          },
        },
        scales: {
          x: { time: true, auto: false, min: data.from, max: data.to },
          y: { range: (_plot, _min, max) => [0, this.#max ?? niceTop(max)] },
        },
        axes: [
          { ...axis, size: 24, grid: { stroke: colors.grid, width: 1 }, space: 64, values: timeLabels },
          {
            ...axis,
            size: Y_AXIS,
            grid: { stroke: colors.grid, width: 1 },
            splits: (_plot, _axis, _min, max) => [0, max / 2, max],
            values: (_plot, splits) => splits.map(axisLabel),
          },
        ],
        series: [
          {},
          ...data.chart.series.map((_series, index) => {
            const stroke = colors.series[index % SERIES_COUNT] ?? colors.axis;
            return {
              stroke,
              width: 1.5,
              dash: [...dashOf(index)],
              points: {
                show: false,
                size: 3,
                fill: stroke,
                filter: ({ data }: uPlot, place: number) => aloneIn(data[place] ?? []),
              },
            };
          }),
        ],
        hooks: {
          drawClear: [(plot) => hatchGaps(plot, this.#gaps, colors.hatch)],
          setCursor: [({ cursor }) => listener.onCursor(cursor.idx ?? null)],
          setSelect: [
            (plot) => {
              const { left, width } = plot.select;
              if (width < MIN_DRAG_PX) return;
              listener.onZoom({ from: plot.posToVal(left, 'x'), to: plot.posToVal(left + width, 'x') });
              plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            },
          ],
        },
      },
      aligned(data),
      element,
    );
    this.update(data);
  }

  /** Draws other values, or another stretch of time. */
  update(data: PlotData): void {
    this.#gaps = data.gaps;
    this.#max = data.chart.max;
    this.#plot.batch(() => {
      this.#plot.setData(aligned(data), false);
      this.#plot.setScale('x', { min: data.from, max: data.to });
    });
  }

  /** Puts the cursor at a moment, as the pointer would; null: takes away what was put, not the pointer's own. */
  point(at: number | null): void {
    if (at === null && !this.#isKeyed) return;
    this.#isKeyed = at !== null;
    const left = at === null ? -10 : this.#plot.valToPos(at, 'x');
    this.#plot.setCursor({ left, top: at === null ? -10 : 0 }, false);
  }

  resize(width: number): void {
    if (width > 0 && width !== this.#plot.width) this.#plot.setSize({ width, height: HEIGHT });
  }

  destroy(): void {
    this.#plot.destroy();
  }
}

/** Dashes of a line: the second round of colours gets others. */
export function dashOf(index: number): readonly number[] {
  return SERIES_DASHES[(index + Math.floor(index / SERIES_COUNT)) % SERIES_COUNT] ?? [];
}

function aligned({ times, chart }: PlotData): uPlot.AlignedData {
  return [[...times], ...chart.series.map(({ values }) => [...values])];
}

/** Values without a neighbour: no line goes through them. */
function aloneIn(values: ArrayLike<number | null | undefined>): number[] {
  const isKnown = (place: number): boolean => (values[place] ?? null) !== null;
  return Array.from(values, (_, place) => place).filter(
    (place) => isKnown(place) && !isKnown(place - 1) && !isKnown(place + 1),
  );
}

/** The next round number above what is shown. */
function niceTop(value: number | null): number {
  if (value === null || value <= 0) return 1;
  const unit = 10 ** Math.floor(Math.log10(value));
  return (NICE.find((step) => value <= step * unit) ?? 10) * unit;
}

function axisLabel(value: number): string {
  return String(value >= 10 ? Math.round(value) : Math.round(value * 100) / 100);
}

/** Hours within a day, dates at its begin. */
function timeLabels(_plot: uPlot, splits: readonly number[]): string[] {
  return splits.map((at) => {
    const isMidnight = !isSameDay(at - 1, at);
    return isMidnight ? formatDate(at, at) : formatClock(at);
  });
}

function axisFont(element: HTMLElement): string {
  return `12px ${getComputedStyle(element).fontFamily}`;
}
