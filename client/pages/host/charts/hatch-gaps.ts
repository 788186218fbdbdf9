import type uPlot from 'uplot';
import type { ChartGap } from './time-axis.ts';

/** Side of the pattern's tile, in CSS pixels. */
const TILE = 7;

/**
 * Hatches the stretches of a plot of which nothing is known, over its whole height, so that they go through all charts;
 * lines are drawn over it, and break there.
 */
export function hatchGaps(plot: uPlot, gaps: readonly ChartGap[], color: string): void {
  const { ctx, bbox } = plot;
  const pattern = gaps.length === 0 ? null : ctx.createPattern(tile(color), 'repeat');
  if (pattern === null) return;
  ctx.save();
  ctx.fillStyle = pattern;
  for (const gap of gaps) {
    const left = Math.max(bbox.left, plot.valToPos(gap.from, 'x', true));
    const right = Math.min(bbox.left + bbox.width, plot.valToPos(gap.to, 'x', true));
    if (right > left) ctx.fillRect(left, 0, right - left, ctx.canvas.height);
  }
  ctx.restore();
}

const tiles = new Map<string, HTMLCanvasElement>();

function tile(color: string): HTMLCanvasElement {
  const key = `${color} ${devicePixelRatio}`;
  const known = tiles.get(key);
  if (known !== undefined) return known;
  const canvas = document.createElement('canvas');
  const side = Math.round(TILE * devicePixelRatio);
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext('2d');
  if (context === null) return canvas;
  context.strokeStyle = color;
  context.lineWidth = 1.5 * devicePixelRatio;
  for (const shift of [-side, 0, side]) {
    context.moveTo(shift, side);
    context.lineTo(shift + side, 0);
  }
  context.stroke();
  tiles.clear();
  tiles.set(key, canvas);
  return canvas;
}
