import type uPlot from 'uplot';
import type { ChartColors } from './chart-colors.ts';
import { hatchGaps } from './hatch-gaps.ts';
import type { ModelLane } from './model-lanes.ts';
import type { PlotData, PlotLook } from './plot.ts';
import type { ChartGap } from './time-axis.ts';
import type { Stretch } from './zoom.ts';

/** Where lanes stand: on a phone their names are above them, in the plot. */
export interface LaneSize {
  /** Of a lane with what belongs to it. */
  readonly height: number;
  /** From its top to the middle of what is drawn. */
  readonly middle: number;
}

/** Sizes by screen; the style sheet of the names has the same heights. */
export const LANE_SIZES = {
  beside: { height: 24, middle: 12 },
  above: { height: 42, middle: 30 },
} as const satisfies Readonly<Record<string, LaneSize>>;

const PAD = 6;
const BOX = 16;
const MARK = 7;
const CROSS = 14;
/** A ramp is seen, however fast a model started. */
const MIN_RAMP = 5;

/** How the lanes of so many models are drawn. */
export function laneLook(lanes: readonly ModelLane[], { height }: LaneSize): PlotLook {
  return { key: `lanes ${height}`, height: lanes.length * height + 2 * PAD, padding: [0, 0], series: [] };
}

/** What models did between two moments. */
export function laneData(
  lanes: readonly ModelLane[],
  look: {
    readonly bounds: Stretch;
    readonly gaps: readonly ChartGap[];
    readonly colors: ChartColors;
    readonly size: LaneSize;
  },
): PlotData {
  const { bounds, gaps, colors, size } = look;
  return {
    columns: [[bounds.from, bounds.to]],
    ...bounds,
    gaps,
    top: 1,
    over: (plot) => {
      const { ctx, bbox } = plot;
      ctx.save();
      ctx.beginPath();
      ctx.rect(bbox.left, 0, bbox.width, ctx.canvas.height);
      ctx.clip();
      lanes.forEach((lane, place) =>
        drawLane(plot, lane, { colors, y: PAD + place * size.height + size.middle }),
      );
      coverGaps(plot, gaps, colors);
      ctx.restore();
    },
  };
}

function drawLane(
  plot: uPlot,
  { spans, serving, failures }: ModelLane,
  { colors, y }: { readonly colors: ChartColors; readonly y: number },
): void {
  const { ctx } = plot;
  const px = devicePixelRatio;
  const xOf = (at: number): number => plot.valToPos(at, 'x', true);
  const [middle, half] = [y * px, (BOX / 2) * px];
  for (const { kind, from, to } of spans) {
    const [left, right] = [xOf(from), xOf(to)];
    if (kind === 'off') dots(ctx, { left, right, y: middle, color: colors.axis });
    else if (kind === 'ready') {
      ctx.beginPath();
      ctx.roundRect(left + 0.5 * px, middle - half, Math.max(px, right - left - px), 2 * half, 3 * px);
      ctx.fillStyle = colors.readyGround;
      ctx.fill();
      ctx.strokeStyle = colors.ready;
      ctx.lineWidth = px;
      ctx.stroke();
    }
  }
  ctx.fillStyle = colors.ready;
  for (const { from, to } of serving) {
    const left = xOf(from);
    ctx.fillRect(left, middle - (MARK / 2) * px, Math.max(1.5 * px, xOf(to) - left), MARK * px);
  }
  ctx.fillStyle = colors.busy;
  for (const { kind, from, to } of spans) {
    if (kind !== 'starting' && kind !== 'stopping') continue;
    const [left, right] = [xOf(from), xOf(to)];
    const width = Math.max(MIN_RAMP * px, right - left);
    const [low, high] = kind === 'starting' ? [right - width, right] : [left + width, left];
    ctx.beginPath();
    ctx.moveTo(low, middle + half);
    ctx.lineTo(high, middle + half);
    ctx.lineTo(high, middle - half);
    ctx.fill();
  }
  for (const { at } of failures) cross(ctx, { x: xOf(at), y: middle, colors });
}

function dots(
  ctx: CanvasRenderingContext2D,
  line: { readonly left: number; readonly right: number; readonly y: number; readonly color: string },
): void {
  const px = devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.setLineDash([px, 4 * px]);
  ctx.strokeStyle = line.color;
  ctx.lineWidth = px;
  ctx.moveTo(line.left, line.y);
  ctx.lineTo(line.right, line.y);
  ctx.stroke();
  ctx.restore();
}

function cross(
  ctx: CanvasRenderingContext2D,
  { x, y, colors }: { readonly x: number; readonly y: number; readonly colors: ChartColors },
): void {
  const px = devicePixelRatio;
  const half = (CROSS / 2) * px;
  const arm = 2.5 * px;
  ctx.beginPath();
  ctx.roundRect(x - half, y - half, 2 * half, 2 * half, 3 * px);
  ctx.fillStyle = colors.failed;
  ctx.fill();
  ctx.beginPath();
  ctx.strokeStyle = colors.onFailed;
  ctx.lineWidth = 1.6 * px;
  ctx.moveTo(x - arm, y - arm);
  ctx.lineTo(x + arm, y + arm);
  ctx.moveTo(x - arm, y + arm);
  ctx.lineTo(x + arm, y - arm);
  ctx.stroke();
}

/** A state that nobody saw is not drawn through a gap: the hatch covers it. */
function coverGaps(plot: uPlot, gaps: readonly ChartGap[], { ground, hatch }: ChartColors): void {
  const { ctx } = plot;
  ctx.fillStyle = ground;
  for (const { from, to } of gaps) {
    const left = plot.valToPos(from, 'x', true);
    ctx.fillRect(left, 0, plot.valToPos(to, 'x', true) - left, ctx.canvas.height);
  }
  hatchGaps(plot, gaps, hatch);
}
