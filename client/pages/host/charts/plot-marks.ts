import type uPlot from 'uplot';
import type { ChartColors } from './chart-colors.ts';

const CROSS = 3;

/** A dotted line at what cannot be passed, with its words at the right end. */
export function drawLimit(
  plot: uPlot,
  { value, label }: { readonly value: number; readonly label: string },
  { axis, ground }: ChartColors,
): void {
  const { ctx, bbox } = plot;
  const y = Math.round(plot.valToPos(value, 'y', true));
  const scale = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = axis;
  ctx.lineWidth = scale;
  ctx.setLineDash([2 * scale, 2 * scale]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.font = `${12 * scale}px ${getComputedStyle(plot.root).fontFamily}`;
  ctx.textAlign = 'right';
  ctx.textBaseline = 'bottom';
  // The words stand on their own ground: a line may go through there.
  ctx.lineWidth = 3 * scale;
  ctx.setLineDash([]);
  ctx.strokeStyle = ground;
  const [x, at] = [bbox.left + bbox.width, y - scale];
  ctx.strokeText(label, x, at);
  ctx.fillStyle = axis;
  ctx.fillText(label, x, at);
  ctx.restore();
}

/** A cross above each bar of which something failed: seen also where the red of it is a pixel high. */
export function markFailures(plot: uPlot, { failed }: ChartColors): void {
  const [times, all = [], bad = []] = plot.data;
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  const arm = CROSS * scale;
  ctx.save();
  ctx.strokeStyle = failed;
  ctx.lineWidth = 1.5 * scale;
  ctx.beginPath();
  times.forEach((at, place) => {
    if ((bad[place] ?? 0) === 0) return;
    const end = times[place + 1] ?? 2 * at - (times[place - 1] ?? at);
    const x = plot.valToPos(at + (end - at) * 0.43, 'x', true);
    if (x < bbox.left || x > bbox.left + bbox.width) return;
    const y = Math.max(arm, plot.valToPos(all[place] ?? 0, 'y', true) - arm - 3 * scale);
    ctx.moveTo(x - arm, y - arm);
    ctx.lineTo(x + arm, y + arm);
    ctx.moveTo(x - arm, y + arm);
    ctx.lineTo(x + arm, y - arm);
  });
  ctx.stroke();
  ctx.restore();
}
