import type { Host } from '#shared/schemas/host.ts';
import type { HeldTimeline } from '../../../data/history/held-timeline.ts';
import type { ShownPerformance } from '../../../data/use-performance-history.ts';
import { formatAge, formatClock, formatMoment, formatTime } from '../../../ui/format.ts';
import type { ChartView } from './chart-view.ts';
import type { Stretch } from './zoom.ts';

/** What the charts of samples show, and where it is from: one sentence under them. */
export function sourceWords(shown: ShownPerformance, now: number): string {
  const { answer, source, heldFrom } = shown;
  if (source === 'collector')
    return answer.stepMs === 0 ? 'Every sample.' : `Averages of ${formatAge(answer.stepMs)} each.`;
  if (heldFrom === null) return 'This device holds no samples of this host; they need the collector.';
  return `From this device: averages of ${formatAge(answer.stepMs)} each, back to ${formatMoment(heldFrom, now)}. Every sample needs the collector.`;
}

/** Why there are no samples to draw; null where there are. */
export function emptyWords(
  shown: ShownPerformance,
  host: Pick<Host, 'features' | 'version'>,
  moment: { readonly now: number; readonly range: string },
): string | null {
  const { answer, source, heldTo } = shown;
  if (answer.system.length > 0 || answer.gpus.some(({ samples }) => samples.length > 0)) return null;
  if (source === 'device') {
    return heldTo === null
      ? 'No samples of it are on this device.'
      : `This device holds samples up to ${formatMoment(heldTo, moment.now)}: none of the last ${moment.range}.`;
  }
  if (host.features.includes('wol-proxy'))
    return 'No samples: behind a wake-on-LAN proxy, asking for them would keep the host awake.';
  if (host.features.includes('performance')) return `No samples in the last ${moment.range} yet.`;
  return host.features.length === 0
    ? 'No samples: this host was never reached.'
    : `This host reports none${host.version === null ? '' : `: llama-swap ${host.version} does not offer them, or they are off`}.`;
}

/** How far back requests are known, and what is counted. */
export function requestWords({ heldFrom }: Pick<HeldTimeline, 'heldFrom'>, now: number): string {
  return heldFrom === null
    ? 'This device holds no requests yet.'
    : `Requests are from this device, which holds them back to ${formatMoment(heldFrom, now)}; they count when they have ended.`;
}

/** Why stretches are hatched; null where none is in sight. */
export function legendWords(
  charts: readonly Pick<ChartView, 'gaps'>[],
  bounds: Stretch,
  source: ShownPerformance['source'],
): string | null {
  const isSeen = charts.some(({ gaps }) => gaps.some(({ from, to }) => to > bounds.from && from < bounds.to));
  if (!isSeen) return null;
  return source === 'device' ? 'not on this device' : 'not recorded';
}

/** `08:11 to 14:11`. */
export function spanWords({ from, to }: Stretch, now: number): string {
  return `${formatMoment(from, now)} to ${formatMoment(to, now)}`;
}

/** `cursor 12:44`, `latest 14:11:05`: of which moment the values are. */
export function cursorWords(
  { from, to }: Stretch,
  moment: { readonly at: number; readonly isCursor: boolean },
): string {
  const isShort = to - from <= 2 * 3_600_000;
  const time = isShort ? formatTime(moment.at) : formatMoment(moment.at, to);
  return `${moment.isCursor ? 'cursor' : 'latest'} ${time}`;
}

/** What a screen reader hears of a chart besides its name. */
export function chartNote({ from, to }: Stretch): string {
  return `${formatClock(from)} to ${formatClock(to)}. Arrows move the cursor, plus and minus zoom, 0 shows all, t opens the table.`;
}
