import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { ChartColors } from './chart-colors.ts';
import { hatchGaps } from './hatch-gaps.ts';
import type { GestureListener } from './plot-gestures.ts';
import { listenToGestures } from './plot-gestures.ts';
import { timeLabels } from './time-labels.ts';
import type { ChartGap } from './time-axis.ts';

/** What does not change while a plot lives; `key` tells one look from another. */
export interface PlotLook {
  readonly key: string;
  readonly height: number;
  readonly series: readonly uPlot.Series[];
  readonly bands?: readonly uPlot.Band[];
  /** The one axis of times stands in a plot of its own. */
  readonly hasTimes?: boolean;
  readonly hasValues?: boolean;
  /** Space above and below what is drawn. */
  readonly padding?: readonly [top: number, bottom: number];
}

/** What is drawn, between two moments. */
export interface PlotData {
  readonly columns: uPlot.AlignedData;
  readonly from: number;
  readonly to: number;
  readonly gaps: readonly ChartGap[];
  /** Top of the axis; null: the next round number. */
  readonly top: number | null;
  /** Highest mark of the axis, where its top lies above it. */
  readonly mark?: number | null;
  /** Draws what is no line, below the lines; `over` above them. */
  readonly draw?: (plot: uPlot) => void;
  readonly over?: (plot: uPlot) => void;
}

/** What the owner of a {@link Plot} hears. */
export interface PlotListener extends GestureListener {
  /** The mouse is at this moment; null: it left. */
  readonly onPoint: (at: number | null) => void;
  /** A stretch was drawn over. */
  readonly onSelect: (stretch: { readonly from: number; readonly to: number }) => void;
  /** All of it is wanted again. */
  readonly onReset: () => void;
}

const VALUE_AXIS = 36;
const TIME_AXIS = 24;
const RIGHT = 14;
const NICE = [1, 1.5, 2, 3, 4, 5, 6, 8, 10] as const;
/** A stretch shorter than this on the screen is a click. */
const MIN_DRAG_PX = 8;

/** One strip on a canvas. All plots of a `syncKey` have one cursor, and one left and right end. */
export class Plot {
  readonly #plot: uPlot;
  readonly #height: number;
  readonly #stopGestures: () => void;
  #data: PlotData;
  #isHeld = false;
  #isUnderPointer = false;

  constructor(
    element: HTMLElement,
    options: {
      readonly look: PlotLook;
      readonly colors: ChartColors;
      readonly syncKey: string;
      readonly data: PlotData;
    },
    listener: PlotListener,
  ) {
    const { look, colors, syncKey, data } = options;
    const [above, below] = look.padding ?? [10, 8];
    this.#data = data;
    this.#height = look.height;
    const axis = { stroke: colors.axis, font: axisFont(element), ticks: { show: false } };
    const grid = { stroke: colors.grid, width: 1 };
    this.#plot = new uPlot(
      {
        width: Math.max(120, element.clientWidth),
        height: look.height,
        ms: 1,
        padding: [above, RIGHT, below, 0],
        legend: { show: false },
        cursor: {
          y: false,
          sync: { key: syncKey, setSeries: false },
          drag: { x: true, y: false, setScale: false },
          points: { size: 7, width: 2, fill: colors.ground },
          bind: {
            // With Shift a drag moves what is shown instead.
            mousedown: (_plot, _target, handler) => (event) => {
              if (!event.shiftKey) handler(event);
              return null;
            },
            dblclick: () => () => {
              listener.onReset();
              return null;
            },
          },
        },
        scales: {
          x: { time: true, auto: false, min: data.from, max: data.to },
          y: { range: (_plot, _min, max) => [0, this.#data.top ?? niceTop(max)] },
        },
        axes: [
          {
            ...axis,
            grid: look.hasTimes === true ? { show: false } : grid,
            size: look.hasTimes === true ? TIME_AXIS : 0,
            space: 64,
            values: look.hasTimes === true ? timeLabels : (_plot, splits) => splits.map(() => ''),
          },
          {
            ...axis,
            grid: look.hasValues === true ? grid : { show: false },
            size: VALUE_AXIS,
            gap: 6,
            splits: (_plot, _axis, _min, max) => {
              const top = this.#data.mark ?? max;
              return look.hasValues === true ? [0, top / 2, top] : [];
            },
            values: (_plot, splits) => splits.map(axisLabel),
          },
        ],
        series: [{}, ...look.series],
        ...(look.bands && { bands: [...look.bands] }),
        hooks: {
          drawClear: [(plot) => hatchGaps(plot, this.#data.gaps, colors.hatch)],
          drawAxes: [(plot) => this.#data.draw?.(plot)],
          draw: [(plot) => this.#data.over?.(plot)],
          setCursor: [
            (plot) => {
              const { left = -1 } = plot.cursor;
              if (this.#isUnderPointer) listener.onPoint(left < 0 ? null : plot.posToVal(left, 'x'));
            },
          ],
          setSelect: [
            (plot) => {
              const { left, width } = plot.select;
              if (width < MIN_DRAG_PX) return;
              listener.onSelect({ from: plot.posToVal(left, 'x'), to: plot.posToVal(left + width, 'x') });
              plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            },
          ],
        },
      },
      data.columns,
      element,
    );
    const { over } = this.#plot;
    over.addEventListener('mouseenter', () => {
      this.#isUnderPointer = true;
    });
    over.addEventListener('mouseleave', () => {
      this.#isUnderPointer = false;
      listener.onPoint(null);
    });
    this.#stopGestures = listenToGestures(
      over,
      {
        momentAt: (px) => this.#plot.posToVal(px, 'x'),
        msPerPx: () => (this.#data.to - this.#data.from) / Math.max(1, over.clientWidth),
      },
      listener,
    );
  }

  /** Draws other values, or another stretch of time. */
  update(data: PlotData): void {
    this.#data = data;
    this.#plot.batch(() => {
      this.#plot.setData(data.columns, false);
      this.#plot.setScale('x', { min: data.from, max: data.to });
    });
  }

  /** Puts the cursor at a moment, as the pointer would; null: takes away what was put, not the pointer's own. */
  point(at: number | null): void {
    if (at === null && !this.#isHeld) return;
    this.#isHeld = at !== null;
    const left = at === null ? -10 : this.#plot.valToPos(at, 'x');
    this.#plot.setCursor({ left, top: at === null ? -10 : 0 }, false);
  }

  resize(width: number): void {
    if (width > 0 && width !== this.#plot.width) this.#plot.setSize({ width, height: this.#height });
  }

  destroy(): void {
    this.#stopGestures();
    this.#plot.destroy();
  }
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

function axisFont(element: HTMLElement): string {
  return `12px ${getComputedStyle(element).fontFamily}`;
}
