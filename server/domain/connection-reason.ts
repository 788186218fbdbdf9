import { assertNever } from '#shared/lib/assert.ts';
import type { UpstreamFailure } from './ports.ts';

/** Said before the first attempt has an outcome. */
export const firstContactReason = 'Connecting.';
/** Said while an operator has monitoring paused. */
export const pausedReason = 'Monitoring is paused.';
/** Said when a connection of ours ended although nothing failed. */
export const reopeningReason = {
  end: 'The event stream closed.',
  overload: 'The event stream came faster than it could be read; it is opened again.',
  silent: 'The event stream fell silent; it is opened again.',
  unanswered: 'The host stopped answering.',
  woke: 'Drover itself stood still for a while; every stream is opened again.',
  reconfigured: 'Its address or key changed; connecting again.',
} as const;

/** A failure to reach a host, as a sentence for a person. */
export function failureReason(failure: UpstreamFailure): string {
  switch (failure.kind) {
    case 'refused':
      return 'Connection refused. llama-swap may have stopped; the machine answers.';
    case 'dns':
      return `Its name cannot be resolved: ${clip(failure.detail)}.`;
    case 'timeout':
    case 'unreachable':
      return 'No answer: machine off, or network.';
    case 'reset':
      return 'The connection was cut.';
    case 'tls':
      return `${clip(failure.detail)}.`;
    case 'unauthorized':
      return '401: the host does not accept the key, or needs one.';
    case 'asleep':
      return 'Behind a wake-on-LAN proxy. Not probed: a probe would wake it.';
    case 'not_llama_swap':
      return `It answers, but not as llama-swap: ${clip(failure.detail)}.`;
    case 'too_old':
      return failure.version === null
        ? 'Its llama-swap is older than v140; Drover needs v140 or later.'
        : `Its llama-swap is ${clip(failure.version)}; Drover needs v140 or later.`;
    case 'http':
      return `It answered ${failure.status}: ${clip(failure.detail)}.`;
    case 'too_large':
      return `Its answer is too large: ${clip(failure.detail)}.`;
    case 'malformed':
      return `Its answer cannot be read: ${clip(failure.detail)}.`;
    default:
      return assertNever(failure);
  }
}

/** How the sentences of {@link failureReason} begin; `tls` has its words from elsewhere. */
const BEGINNINGS: readonly (readonly [beginning: string, kind: UpstreamFailure['kind']])[] = [
  ['Connection refused', 'refused'],
  ['Its name cannot be resolved', 'dns'],
  ['No answer:', 'unreachable'],
  ['The connection was cut', 'reset'],
  ['401:', 'unauthorized'],
  ['Behind a wake-on-LAN proxy', 'asleep'],
  ['It answers, but not as llama-swap', 'not_llama_swap'],
  ['Its llama-swap is', 'too_old'],
  ['It answered ', 'http'],
  ['Its answer is too large', 'too_large'],
  ['Its answer cannot be read', 'malformed'],
];

/** The kind of failure a recorded reason tells of, `timeout` as `unreachable`; null where its words do not say. */
export function failureKindOf(reason: string): UpstreamFailure['kind'] | null {
  return BEGINNINGS.find(([beginning]) => reason.startsWith(beginning))?.[1] ?? null;
}

function clip(text: string): string {
  const line = text.trim().replace(/[.\s]+$/, '');
  return line.length > 160 ? `${line.slice(0, 159)}…` : line || 'no detail';
}
