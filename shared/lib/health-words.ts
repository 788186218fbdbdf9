import type { Health, HealthCheck } from '../schemas/info.ts';
import { redactText } from './redact.ts';

const ORDER: Readonly<Record<HealthCheck['state'], number>> = { fail: 0, warn: 1, ok: 2 };

/** What all checks come to: `failed` is the store's alone, because then nothing else can be believed. */
export function healthStatus(checks: readonly HealthCheck[]): Health['status'] {
  if (checks.some((check) => check.name === 'store' && check.state === 'fail')) return 'failed';
  return checks.every((check) => check.state === 'ok') ? 'ok' : 'degraded';
}

/** A status as its badge says it. */
export const STATUS_WORDS: Readonly<Record<Health['status'], string>> = {
  ok: 'OK',
  degraded: 'Degraded',
  failed: 'Failed',
};

/** The state of a check in one word; a host that sleeps or is paused is neither well nor ill. */
export function checkWord({ state, standing }: HealthCheck): string {
  if (state === 'fail') return 'Failed';
  if (state === 'warn') return 'Warning';
  if (standing === 'asleep') return 'Asleep';
  return standing === 'paused' ? 'Paused' : 'OK';
}

/** What a check is about, for a person. */
export function checkTitle({ name, title }: HealthCheck): string {
  return title ?? name;
}

/** Failed first, then warnings; among equals the order given. */
export function failedFirst(checks: readonly HealthCheck[]): readonly HealthCheck[] {
  return [...checks].sort((one, other) => ORDER[one.state] - ORDER[other.state]);
}

/** `2 failed, 3 warnings`, `1 warning`, `12 checks, all OK`. */
export function healthSummary(checks: readonly HealthCheck[]): string {
  const count = (state: HealthCheck['state']): number => checks.filter((one) => one.state === state).length;
  const failed = count('fail');
  const warned = count('warn');
  if (failed + warned === 0) return checks.length === 0 ? 'no checks' : `${checks.length} checks, all OK`;
  return [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(warned > 0 ? [`${warned} ${warned === 1 ? 'warning' : 'warnings'}`] : []),
  ].join(', ');
}

/** Checks as text, failed first: a line for each, and what to do under it. Nothing is shortened. */
export function healthText(checks: readonly HealthCheck[]): string {
  return failedFirst(checks)
    .flatMap((check) => [
      `${checkWord(check).padEnd(7)}  ${checkTitle(check)}: ${check.detail}`,
      ...(check.remediation === null ? [] : [`         → ${check.remediation}`]),
    ])
    .join('\n');
}

/** Network addresses and paths say where somebody lives; a report is pasted into public places. */
const PLACES: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\b(https?:\/\/)[^\s)"',;]*[^\s)"',;.:]/gi, '$1[address]'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b/g, '[address]'],
  // IPv6: eight groups, or fewer around "::". A time of day has neither.
  [
    /(?<![\w:])(?:(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?)(?![\w:])/gi,
    '[address]',
  ],
  [/\b(?:[a-z0-9-]+\.)+(?:lan|local|home|internal|ts\.net|arpa)\b(?::\d{1,5})?/gi, '[address]'],
  [/(^|[\s("'=])(?:\/[^\s,;:)"']+){2,}/g, '$1[path]'],
  [/\b[A-Z]:\\[^\s,;)"']+/g, '[path]'],
];

/** A report to hand on: secrets, addresses and paths are taken out, names of hosts and devices stay. */
export function redactReport(text: string): string {
  return PLACES.reduce(
    (left, [pattern, replacement]) => left.replace(pattern, replacement),
    redactText(text),
  );
}
