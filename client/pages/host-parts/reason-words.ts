import type { Host } from '#shared/schemas/host.ts';
import { formatMoment } from '../../ui/format.ts';

/**
 * The collector's reason with the time it began, which only the device can write in its zone:
 * `Connection refused since 13:41. llama-swap may have stopped.`
 */
export function presentReason(host: Host, reason: string, now: number): string {
  return hasBeginning(host) ? withTime(reason, ` since ${formatMoment(host.since, now)}`) : reason;
}

/** The same when nobody can say that it still holds: first sentence only, in the past tense. */
export function pastReason(host: Host, reason: string, now: number): string {
  const first = PAST_TENSE.reduce(
    (sentence, [present, past]) => sentence.replace(present, past),
    firstSentence(reason),
  );
  return hasBeginning(host) ? withTime(first, ` from ${formatMoment(host.since, now)} on`) : first;
}

/** The first clause, for one line under a title: `connection refused`. */
export function shortReason(reason: string): string {
  const clause = /^[^.:;]+/.exec(reason)?.[0] ?? reason;
  return /^[A-Z][a-z]/.test(clause) ? clause.charAt(0).toLowerCase() + clause.slice(1) : clause;
}

/** Why a start failed, in the few words a row has room for: `out of memory`, `port in use`; else the reason itself. */
export function shortFailure(reason: string): string {
  const known = FAILURES.find(([pattern]) => pattern.test(reason));
  return known?.[1] ?? reason.replace(/\.$/, '');
}

const FAILURES = [
  [/out of memory|unable to allocate|failed to allocate|cannot allocate memory/i, 'out of memory'],
  [/^Its port is in use/, 'port in use'],
  [/^A file is missing/, 'a file is missing'],
  [/health check timed out/i, 'health check timed out'],
] as const satisfies readonly (readonly [RegExp, string])[];

const PAST_TENSE = [
  [/\bdoes not\b/, 'did not'],
  [/\bcannot be\b/, 'could not be'],
  [/\b(It|Its llama-swap|The certificate) is\b/, '$1 was'],
  [/\bIt answers\b/, 'It answered'],
] as const satisfies readonly (readonly [RegExp, string])[];

function hasBeginning(host: Host): boolean {
  return host.liveness === 'down' || host.liveness === 'unauthorized';
}

function withTime(reason: string, time: string): string {
  return /[.:;]/.test(reason) ? reason.replace(/[.:;]/, (mark) => `${time}${mark}`) : `${reason}${time}`;
}

function firstSentence(reason: string): string {
  return /^.*?\.(?=\s|$)/.exec(reason)?.[0] ?? reason;
}
