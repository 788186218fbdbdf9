import type { InFlight } from '#shared/schemas/in-flight.ts';
import type { FailedStart, Model } from '#shared/schemas/model.ts';
import { formatAge, formatElapsed, formatMoment, UNKNOWN } from '../../ui/format.ts';
import type { GlyphName, Hue } from '../../ui/glyph.tsx';
import type { Freshness } from './host-view.ts';
import type { TtlFacts } from './ttl-view.ts';

/** A model as a row of its host's card. */
export interface ModelRowView {
  readonly modelId: string;
  readonly glyph: GlyphName;
  readonly hue: Hue;
  /** `ready`, `was ready since`; the state in its own words. */
  readonly word: string;
  /** Beside the word: how long, or since when. */
  readonly time: string;
  /** Requests that run on it now; null: not known, 0 is shown as nothing. */
  readonly running: number | null;
  /** What stands at the right end: bars and a number, a dash, or nothing. */
  readonly runningWords: string;
  readonly failedStart: FailedStart | null;
  readonly peerId: string | null;
  /** Its time to live, while that says something: live, ready, and nothing known to run on it. */
  readonly ttl: TtlFacts | null;
}

/** What a model's row depends on besides the model. */
export interface ModelRowContext {
  readonly freshness: Freshness;
  readonly inFlight: InFlight | null;
  /** The collector hears the host; only then can requests run that this device does not know of. */
  readonly isHostHeard: boolean;
  readonly now: number;
  /** What is shown was true at this moment: `now`, or when this device last heard the collector. */
  readonly at: number;
}

interface StateLook {
  readonly glyph: GlyphName;
  readonly hue: Hue;
}

const STATE_LOOKS: Readonly<Record<string, StateLook>> = {
  ready: { glyph: 'ready', hue: 'ready' },
  starting: { glyph: 'starting', hue: 'busy' },
  stopping: { glyph: 'stopping', hue: 'busy' },
  stopped: { glyph: 'stopped', hue: 'off' },
  shutdown: { glyph: 'stopped', hue: 'off' },
};
const UNKNOWN_LOOK: StateLook = { glyph: 'unknown', hue: 'off' };
/** States whose time runs in seconds: they are watched. */
const PASSING_STATES = ['starting', 'stopping'];

/** A model's row, or null for one that stands among "11 stopped": at rest, with nothing to say. */
export function modelRow(model: Model, context: ModelRowContext): ModelRowView | null {
  const isQuiet = currentFailure(model) === null && isAtRest(model.state);
  return isQuiet || isIdlePeer(model) ? null : wholeModelRow(model, context);
}

/** Why a model's last start failed, as far as that says something about now; null: it did not, or its host was restarted. */
export function currentFailure({ failedStart }: Pick<Model, 'failedStart'>): FailedStart | null {
  return failedStart?.beforeRestart === true ? null : failedStart;
}

/** A model's row, whatever its state. */
export function wholeModelRow(model: Model, context: ModelRowContext): ModelRowView {
  if (model.failedStart !== null && isAtRest(model.state))
    return failedRow(model, model.failedStart, context);
  const isPast = context.freshness === 'past';
  const look = STATE_LOOKS[model.state] ?? UNKNOWN_LOOK;
  const running = runningOn(model, context);
  return {
    modelId: model.modelId,
    glyph: isPast && PASSING_STATES.includes(model.state) ? 'unknown' : look.glyph,
    hue: isPast ? 'stale' : look.hue,
    word: isIdlePeer(model) ? `on ${model.peerId}` : isPast ? `was ${model.state}` : model.state,
    time: stateTime(model, context),
    running,
    runningWords: runningWords(model, running, context),
    failedStart: null,
    peerId: model.peerId,
    ttl: ttlFacts(model, running, context),
  };
}

/** `11 stopped`; `11 others` when nobody can say that they still are. */
export function othersWord(count: number, freshness: Freshness): string {
  if (freshness === 'past') return `${count} ${count === 1 ? 'other' : 'others'}`;
  return `${count} stopped`;
}

function failedRow(model: Model, failedStart: FailedStart, context: ModelRowContext): ModelRowView {
  const isPast = context.freshness === 'past';
  const isOver = failedStart.beforeRestart === true;
  const at = formatMoment(failedStart.at, context.now);
  return {
    modelId: model.modelId,
    glyph: isOver ? 'stopped' : 'failed',
    hue: isPast ? 'stale' : isOver ? 'off' : 'bad',
    word: isPast ? 'had failed' : 'failed',
    time: isOver ? `${at}, before the restart` : at,
    running: 0,
    runningWords: '',
    failedStart,
    peerId: model.peerId,
    ttl: null,
  };
}

function ttlFacts(model: Model, running: number | null, { freshness }: ModelRowContext): TtlFacts | null {
  const { hostId, modelId, aliases, since, state, ttlMs } = model;
  if (freshness !== 'live' || state !== 'ready' || ttlMs === undefined) return null;
  if (running !== null && running > 0) return null;
  return { hostId, names: [modelId, ...aliases], since, ttlMs, isIdle: running === 0 };
}

function isAtRest(state: string): boolean {
  return state === 'stopped' || state === 'shutdown';
}

/** A peer's models are known by name only; they would fill every card with dashes. */
function isIdlePeer(model: Model): boolean {
  return model.peerId !== null && model.state === 'unknown';
}

function stateTime(model: Model, { freshness, now, at }: ModelRowContext): string {
  if (model.since === null) return '';
  if (freshness === 'past') return `since ${formatMoment(model.since, now)}`;
  if (isAtRest(model.state)) return formatMoment(model.since, now);
  return PASSING_STATES.includes(model.state) ? formatElapsed(at - model.since) : formatAge(at - model.since);
}

function runningOn(model: Model, { freshness, inFlight }: ModelRowContext): number | null {
  if (freshness === 'past' || inFlight === null || inFlight.total === null) return null;
  if (inFlight.requests === null) return inFlight.total === 0 ? 0 : null;
  return inFlight.requests.filter((request) => request.modelId === model.modelId).length;
}

function runningWords(model: Model, running: number | null, context: ModelRowContext): string {
  if (running !== null) return running === 0 ? '' : `${running} running`;
  // While the host is live its second line says once that the count is not known.
  return context.freshness === 'past' && context.isHostHeard && model.state === 'ready'
    ? `${UNKNOWN} running`
    : '';
}
