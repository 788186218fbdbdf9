import type { IntentEntry } from '../../data/intents/types.ts';
import { formatElapsed, formatMoment, plural } from '../../ui/format.ts';

/** Under this an expiry is said in minutes and seconds; over it as the time when it comes. */
const COUNTED_MS = 10 * 60_000;
/** Under this it is about to be too late. */
const SOON_MS = 3 * 60_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What an action is made of, whether it was asked for already or not. */
export type IntentSubject = Pick<IntentEntry, 'kind' | 'target' | 'params'>;

/** `Unload coder`, `Cancel request 19 of coder`, `Activate profile day`; a kind this version does not know is named as it is. */
export function intentTitle({ kind, target, params }: IntentSubject): string {
  const model = modelName(target.modelId);
  switch (kind) {
    case 'model.load':
      return `Load ${model ?? 'a model'}`;
    case 'model.unload':
      return `Unload ${model ?? 'all models'}`;
    case 'request.cancel':
      return cancelWords(text(params['requestId']), model);
    case 'profile.activate': {
      const name = text(params['name']);
      return name === null ? 'Activate no profile' : `Activate profile ${name}`;
    }
    case 'host.pause':
      return 'Pause monitoring';
    case 'host.resume':
      return 'Resume monitoring';
    default:
      return kind;
  }
}

/** `Unload coder on bluefin`, for what stands away from its host. */
export function intentTitleOn(subject: IntentSubject, hostLabel: string | null): string {
  const title = intentTitle(subject);
  if (hostLabel === null) return title;
  const isAboutHost = subject.kind === 'host.pause' || subject.kind === 'host.resume';
  return `${title} ${isAboutHost ? 'of' : 'on'} ${hostLabel}`;
}

/** What must hold, and when: `only if idle 10 min`, `when it is back`, `until 15:00`. Empty where nothing is asked. */
export function intentCondition(
  entry: Pick<IntentEntry, 'precondition' | 'whenDown' | 'params'>,
  now: number,
): string {
  const { precondition, whenDown, params } = entry;
  const parts: string[] = [];
  if (precondition?.modelState !== undefined) parts.push(`only if ${precondition.modelState.join(' or ')}`);
  if (precondition?.idleForMs !== undefined) parts.push(`only if idle ${lastsWords(precondition.idleForMs)}`);
  if (precondition?.inFlightMax !== undefined) {
    const most = precondition.inFlightMax;
    parts.push(
      most === 0
        ? 'only if idle'
        : `only if at most ${plural(most, 'request')} ${most === 1 ? 'runs' : 'run'}`,
    );
  }
  const { untilMs } = params;
  if (typeof untilMs === 'number') parts.push(`until ${formatMoment(untilMs, now)}`);
  if (whenDown === 'wait') parts.push('when it is back');
  return parts.join(', ');
}

/** Who asked for it, as a person of this device reads it. */
export function authorWords({ isMine, author }: Pick<IntentEntry, 'isMine' | 'author'>): string {
  return isMine ? 'you' : author.label;
}

/** How long it ran; null while it runs, or when it never did. */
export function tookMs({ steps, endedAt }: Pick<IntentEntry, 'steps' | 'endedAt'>): number | null {
  const startedAt = stepAt({ steps }, 'running');
  return startedAt === null || endedAt === null ? null : Math.max(0, endedAt - startedAt);
}

/** `took 4 s`, or nothing. */
export function tookWords(entry: Pick<IntentEntry, 'steps' | 'endedAt'>): string {
  const took = tookMs(entry);
  return took === null ? '' : `took ${spanWords(took)}`;
}

/** When it last came into a state; null: never. */
export function stepAt({ steps }: Pick<IntentEntry, 'steps'>, state: string): number | null {
  return steps.findLast((step) => step.state === state)?.at ?? null;
}

/** How long the same took before, the middle of what is known; null where it never succeeded. */
export function usualMs(entry: IntentSubject, entries: readonly IntentEntry[]): number | null {
  const same = entries.filter(
    (other) =>
      other.state === 'succeeded' &&
      other.code !== 'already' &&
      other.kind === entry.kind &&
      other.target.hostId === entry.target.hostId &&
      other.target.modelId === entry.target.modelId,
  );
  const spans = same.flatMap((other) => tookMs(other) ?? []).sort((one, other) => one - other);
  return spans[Math.floor(spans.length / 2)] ?? null;
}

/** How much longer it counts, for the ring and beside it. `words`: `2:40 left`, `void 22:00`, `void Tue 13:40`. */
export interface ExpiryView {
  readonly leftMs: number;
  readonly wholeMs: number;
  readonly words: string;
  readonly isSoon: boolean;
}

/** See {@link ExpiryView}. */
export function expiryView(
  { createdAt, expiresAt }: Pick<IntentEntry, 'createdAt' | 'expiresAt'>,
  now: number,
): ExpiryView {
  const leftMs = Math.max(0, expiresAt - now);
  return {
    leftMs,
    wholeMs: Math.max(1, expiresAt - createdAt),
    words: leftMs < COUNTED_MS ? `${formatElapsed(leftMs)} left` : voidWords(expiresAt, now),
    isSoon: leftMs < SOON_MS,
  };
}

/** `void 22:00`, `void Tue 1 Dec, 13:40`. */
export function voidWords(expiresAt: number, now: number): string {
  return `void ${formatMoment(expiresAt, now)}`;
}

/** A span as people say it: `280 ms`, `4 s`, `12 min`, `3 h`, `2 days`. */
export function spanWords(durationMs: number): string {
  if (durationMs > 0 && durationMs < 1000) return `${Math.ceil(durationMs)} ms`;
  const seconds = Math.max(0, Math.round(durationMs / 1000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

/** An agreed span, exactly: `10 min`, `90 s`, `2 h`. */
function lastsWords(durationMs: number): string {
  if (durationMs >= DAY && durationMs % DAY === 0) return plural(durationMs / DAY, 'day');
  if (durationMs >= HOUR && durationMs % HOUR === 0) return `${durationMs / HOUR} h`;
  if (durationMs >= MINUTE && durationMs % MINUTE === 0) return `${durationMs / MINUTE} min`;
  return `${Math.round(durationMs / 1000)} s`;
}

function cancelWords(requestId: string | null, model: string | null): string {
  const request = requestId === null ? 'Cancel a request' : `Cancel request ${requestId}`;
  return model === null ? request : `${request} of ${model}`;
}

function modelName(modelId: string | undefined): string | null {
  if (modelId === undefined) return null;
  return modelId === '' ? '(empty name)' : modelId;
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
