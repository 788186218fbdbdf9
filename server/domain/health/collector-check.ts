import { ageWords, agoWords } from '#shared/lib/age-words.ts';
import type { HealthCheck } from '#shared/schemas/info.ts';
import { checkOf, counted } from './check.ts';

/** The collector's own process. */
export interface CollectorFacts {
  readonly startedAt: number;
  readonly hosts: number;
  readonly paused: number;
  /** The last time it stood still for seconds, when it noticed and how long it was; null: never since the start. */
  readonly stoodStill: { readonly at: number; readonly lateMs: number } | null;
}

const RECENT_MS = 3_600_000;
const COLLECTOR = checkOf('collector', 'Collector');

/** Since when it runs, what it listens to, and whether it stood still. */
export function collectorCheck(
  { startedAt, hosts, paused, stoodStill }: CollectorFacts,
  now: number,
): HealthCheck {
  const listens = `Listens to ${counted(hosts - paused, 'host')}${paused > 0 ? `, ${paused} paused` : ''}.`;
  const detail = `${listens} Running for ${ageWords(now - startedAt)}.`;
  if (stoodStill === null || now - stoodStill.at > RECENT_MS) return COLLECTOR.ok(detail);
  const { at, lateMs } = stoodStill;
  return COLLECTOR.warn({
    detail: `It stood still for ${ageWords(lateMs)}, ${agoWords(now - at)}; every stream was opened again. ${detail}`,
    remediation: 'Nothing if the machine slept. Else it lacks CPU or memory, or its disk is very slow.',
  });
}
