import type { Host } from '#shared/schemas/host.ts';
import type { ShownPerformance } from '../../../data/use-performance-history.ts';
import { formatAge, formatMoment, formatTime } from '../../../ui/format.ts';

/** What the charts show, and where it is from: one sentence under the range. */
export function sourceWords(shown: ShownPerformance, now: number): string {
  const { answer, source, heldFrom } = shown;
  if (source === 'collector')
    return answer.stepMs === 0 ? 'Every sample.' : `Averages of ${formatAge(answer.stepMs)} each.`;
  if (heldFrom === null) return 'This device holds no samples of this host; they need the collector.';
  return `From this device: averages of ${formatAge(answer.stepMs)} each, back to ${formatMoment(heldFrom, now)}. Every sample needs the collector.`;
}

/** Why there is nothing to draw; null where there is something. */
export function emptyWords(
  shown: ShownPerformance,
  host: Pick<Host, 'features' | 'version'>,
  moment: { readonly now: number; readonly range: string },
): string | null {
  const { answer, source, heldTo } = shown;
  if (answer.system.length > 0 || answer.gpus.some(({ samples }) => samples.length > 0)) return null;
  if (source === 'device') {
    return heldTo === null
      ? 'Nothing of it is on this device.'
      : `This device holds samples up to ${formatMoment(heldTo, moment.now)}: none of the last ${moment.range}.`;
  }
  if (host.features.includes('wol-proxy'))
    return 'No samples: behind a wake-on-LAN proxy, asking for them would keep the host awake.';
  if (host.features.includes('performance')) return `No samples in the last ${moment.range} yet.`;
  return host.features.length === 0
    ? 'No samples: this host was never reached.'
    : `This host reports none${host.version === null ? '' : `: llama-swap ${host.version} does not offer them, or they are off`}.`;
}

/** `08:11 to 14:11`, and of which moment the values are. */
export function headWords(
  { from, to }: { readonly from: number; readonly to: number },
  moment: { readonly at: number | null; readonly isCursor: boolean },
): string {
  const span = `${formatMoment(from, to)} to ${formatMoment(to, to)}`;
  if (moment.at === null) return span;
  const isShort = to - from <= 2 * 3_600_000;
  const time = isShort ? formatTime(moment.at) : formatMoment(moment.at, to);
  return `${span} · ${moment.isCursor ? 'cursor' : 'latest'} ${time}`;
}
