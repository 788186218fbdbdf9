import uPlot from 'uplot';
import type { ChartColors } from './chart-colors.ts';
import { SERIES_COUNT, dashOf } from './chart-colors.ts';
import type { ChartValues, ChartView } from './chart-view.ts';
import { drawLimit, markFailures } from './plot-marks.ts';
import type { PlotData, PlotLook } from './plot.ts';
import type { Stretch } from './zoom.ts';

const HEIGHT = 96;
/** Share of an axis that is left free above a limit, so that its line and its words are seen. */
const ABOVE_LIMIT = 1.2;

/** How a chart is drawn: lines with the largest of each as a shade above, an area, or bars. */
export function chartLook(chart: ChartView, colors: ChartColors): PlotLook {
  const { kind, series } = chart;
  const colorOf = (index: number): string => colors.series[index % SERIES_COUNT] ?? colors.axis;
  const lines = series.map((_one, index): uPlot.Series => {
    if (kind === 'bars') return barSeries(index === 0 ? colors.bar : colors.failed);
    const stroke = colorOf(index);
    return {
      stroke,
      width: 1.5,
      dash: [...dashOf(index)],
      ...(kind === 'area' && { fill: faint(stroke) }),
      points: {
        show: false,
        size: 3,
        fill: stroke,
        filter: (plot, place) => aloneIn(plot.data[place] ?? []),
      },
    };
  });
  const peaks = series.flatMap(({ max }, index) => (max === undefined ? [] : [index]));
  return {
    key: `${kind} ${series.map(({ key, max }) => `${key}${max === undefined ? '' : '+'}`).join(' ')}`,
    height: HEIGHT,
    hasValues: true,
    series: [...lines, ...peaks.map((): uPlot.Series => ({ width: 0, points: { show: false } }))],
    bands: peaks.map((index, place) => ({
      series: [1 + series.length + place, 1 + index],
      fill: faint(colorOf(index)),
    })),
  };
}

/** What of a chart is drawn between two moments. */
export function chartData(chart: ChartView, { from, to }: Stretch, colors: ChartColors): PlotData {
  const { kind, times, gaps, series, limit } = chart;
  const peaks = series.flatMap(({ max }) => (max === undefined ? [] : [max]));
  const columns = [...series.map(({ values }) => values), ...peaks].map((values) => [...values]);
  return {
    columns: [[...times], ...columns],
    from,
    to,
    gaps,
    top: limit === null ? chart.top : limit.value * ABOVE_LIMIT,
    mark: limit?.value ?? null,
    over: (plot) => {
      if (limit !== null) drawLimit(plot, limit, colors);
      if (kind === 'bars') markFailures(plot, colors);
    },
  };
}

function barSeries(fill: string): uPlot.Series {
  const paths = uPlot.paths.bars?.({ size: [0.86, 40], align: 1, gap: 0 });
  return { fill, width: 0, points: { show: false }, ...(paths && { paths }) };
}

/** A ground in the colour of its line: tokens are written `#rrggbb`. */
function faint(color: string): string {
  return /^#[0-9a-f]{6}$/i.test(color) ? `${color}29` : 'transparent';
}

/** Values without a neighbour: no line goes through them. */
function aloneIn(values: ChartValues | ArrayLike<number | null | undefined>): number[] {
  const isKnown = (place: number): boolean => (values[place] ?? null) !== null;
  return Array.from(values, (_, place) => place).filter(
    (place) => isKnown(place) && !isKnown(place - 1) && !isKnown(place + 1),
  );
}
