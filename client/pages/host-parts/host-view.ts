import { assertNever } from '#shared/lib/assert.ts';
import type { Host, Liveness } from '#shared/schemas/host.ts';
import type { InFlight } from '#shared/schemas/in-flight.ts';
import type { Model } from '#shared/schemas/model.ts';
import type { ConnectionState } from '../../data/types.ts';
import { formatAge, formatMoment, formatStamp } from '../../ui/format.ts';
import type { GlyphName, Hue } from '../../ui/glyph.tsx';
import type { ModelRowContext, ModelRowView } from './model-view.ts';
import { currentFailure, modelRow, othersWord, wholeModelRow } from './model-view.ts';
import { pastReason, presentReason } from './reason-words.ts';

/** What was known of a moment ago stays in the present tense this long; after it a page speaks of the past. */
const AGEING_MS = 60_000;

/** Whether this device hears the collector, and since when it does not. */
export type CollectorHop =
  | { readonly kind: 'live' }
  /** `asOf` is when what is shown was last in step. */
  | { readonly kind: 'away'; readonly asOf: number };

/**
 * How far a card may be believed. `live`: both hops hold. `ageing`: one of them broke less than a minute ago, values
 * stay and are stamped. `past`: longer ago, or the host does not answer: past tense, on hatch.
 */
export type Freshness = 'live' | 'ageing' | 'past';

/** A host as its card shows it. Everything is words, shapes and hues; nothing is left to decide. */
export interface HostCardView {
  readonly id: string;
  readonly label: string;
  readonly demo: boolean;
  readonly freshness: Freshness;
  readonly glyph: GlyphName;
  readonly hue: Hue;
  /** `Live`, `Down 30 min`, `was live`; while ageing the stamp. */
  readonly word: string;
  /** Second line: build, then the one stamp of the card. */
  readonly facts: readonly string[];
  /** Why the host is not live, what to do; null while it is. */
  readonly reason: string | null;
  readonly models: readonly ModelRowView[];
  /** What the rows depend on, for those that are drawn later. */
  readonly rowContext: ModelRowContext;
  /** Models without a row of their own: `11 stopped`, or `11 others` when that is not known to be so still. */
  readonly others: OtherModels | null;
  /** Lines of gauges, two cards in each: kept free for them. 0: nobody knows what it is made of. */
  readonly gaugeRows: number;
  readonly keyRefused: boolean;
  readonly paused: boolean;
  readonly isTrouble: boolean;
}

/** See {@link HostCardView}. */
export interface OtherModels {
  readonly word: string;
  readonly names: readonly string[];
  /** How many more the collector knows that this device was not given: the host has too many for the document. */
  readonly more: number;
}

/** What a card is made of. `inFlight` is null while it is not known. */
export interface HostFacts {
  readonly host: Host;
  readonly models: readonly Model[];
  readonly inFlight: InFlight | null;
}

/** The collector hop as a connection shows it; null while this device has never been in step. */
export function collectorHop(connection: ConnectionState, now: number): CollectorHop {
  if (connection.kind === 'live') return { kind: 'live' };
  return { kind: 'away', asOf: connection.dataAsOf ?? now };
}

/** How far a host's card may be believed at `now`. */
export function hostFreshness(host: Host, hop: CollectorHop, now: number): Freshness {
  if (isHeard(host)) return hop.kind === 'live' ? 'live' : now - hop.asOf < AGEING_MS ? 'ageing' : 'past';
  const isFresh = host.liveness === 'reconnecting' && !host.paused && hop.kind === 'live';
  if (isFresh && host.lastSeenAt !== null && now - host.lastSeenAt < AGEING_MS) return 'ageing';
  return 'past';
}

/** Derives a host's card at `now` (collector time). */
export function hostCard(facts: HostFacts, hop: CollectorHop, now: number): HostCardView {
  const { host } = facts;
  const freshness = hostFreshness(host, hop, now);
  const state = host.paused ? 'paused' : host.liveness;
  const context = rowContext(facts, hop, now);
  const rows: ModelRowView[] = [];
  const otherNames: string[] = [];
  for (const model of [...facts.models].sort(byModelId)) {
    const row = modelRow(model, context);
    if (row === null) otherNames.push(model.modelId);
    else rows.push(row);
  }
  return {
    id: host.id,
    label: host.label,
    demo: host.demo,
    freshness,
    glyph: LIVENESS_LOOK[state].glyph,
    hue: hop.kind === 'live' ? LIVENESS_LOOK[state].hue : 'stale',
    word: hostWord(host, hop, freshness, now),
    facts: secondLine(facts, hop, freshness, now),
    reason: reasonWords(host, hop, now),
    models: rows,
    rowContext: context,
    others: otherModels(facts, otherNames, freshness),
    gaugeRows: gaugeRows(host),
    keyRefused: state === 'unauthorized' && hop.kind === 'live',
    paused: host.paused,
    isTrouble: isTrouble(facts),
  };
}

/** Every model of a host as a row, at rest or not, by name. */
export function modelRows(facts: HostFacts, hop: CollectorHop, now: number): readonly ModelRowView[] {
  const context = rowContext(facts, hop, now);
  return [...facts.models].sort(byModelId).map((model) => wholeModelRow(model, context));
}

function rowContext({ host, inFlight }: HostFacts, hop: CollectorHop, now: number): ModelRowContext {
  const freshness = hostFreshness(host, hop, now);
  return {
    freshness,
    // A stream that closed took what it said of running requests with it.
    inFlight: freshness === 'past' || !isHeard(host) ? null : inFlight,
    isHostHeard: isHeard(host),
    now,
    at: hop.kind === 'live' ? now : hop.asOf,
  };
}

function gaugeRows({ features, hardware }: Host): number {
  if (features.length === 0) return 0;
  return Math.min(4, Math.ceil((hardware?.accelerators.length || 1) / 2));
}

function otherModels(
  { host, models }: HostFacts,
  names: readonly string[],
  freshness: Freshness,
): OtherModels | null {
  const more = Math.max(0, (host.modelCount ?? 0) - models.length);
  const count = names.length + more;
  return count === 0 ? null : { word: othersWord(count, freshness), names, more };
}

/** True for a host that a person should look at: it does not answer as it should, or a model failed to start. */
export function isTrouble(facts: Pick<HostFacts, 'host' | 'models'>): boolean {
  const { host } = facts;
  if (host.paused) return false;
  const isAway = host.liveness !== 'connected' && host.liveness !== 'asleep';
  return isAway || failedModels(facts).length > 0;
}

/** Models whose last start failed; a paused host asks for nobody's look. */
export function failedModels({ host, models }: Pick<HostFacts, 'host' | 'models'>): readonly string[] {
  if (host.paused) return [];
  return models.filter((model) => currentFailure(model) !== null).map(({ modelId }) => modelId);
}

/** Shape and hue of each state of a host. */
export const LIVENESS_LOOK: Readonly<
  Record<Liveness | 'paused', { readonly glyph: GlyphName; readonly hue: Hue }>
> = {
  connected: { glyph: 'live', hue: 'ready' },
  reconnecting: { glyph: 'reconnecting', hue: 'warn' },
  asleep: { glyph: 'asleep', hue: 'sleep' },
  down: { glyph: 'down', hue: 'bad' },
  unauthorized: { glyph: 'unauthorized', hue: 'key' },
  incompatible: { glyph: 'incompatible', hue: 'odd' },
  paused: { glyph: 'paused', hue: 'off' },
};

function hostWord(host: Host, hop: CollectorHop, freshness: Freshness, now: number): string {
  const state = host.paused ? 'paused' : host.liveness;
  if (hop.kind === 'live') {
    switch (state) {
      case 'connected':
        return 'Live';
      case 'reconnecting':
        return 'Reconnecting';
      case 'asleep':
        return 'Asleep';
      case 'down':
        return `Down ${formatAge(now - host.since)}`;
      case 'unauthorized':
        return 'Key refused';
      case 'incompatible':
        return 'Not supported';
      case 'paused':
        return `Paused${untilWords(host, now)}`;
      default:
        return assertNever(state);
    }
  }
  if (freshness === 'ageing') return `as of ${formatStamp(hop.asOf, now)}`;
  switch (state) {
    case 'connected':
      return 'was live';
    case 'unauthorized':
      return 'key was refused';
    case 'incompatible':
      return 'was not supported';
    case 'reconnecting':
    case 'asleep':
    case 'down':
      return `was ${state}`;
    case 'paused':
      return `was paused${untilWords(host, now)}`;
    default:
      return assertNever(state);
  }
}

/** ` until 18:00`, where a pause ends by itself. */
function untilWords({ pausedUntil = null }: Host, now: number): string {
  return pausedUntil === null ? '' : ` until ${formatMoment(pausedUntil, now)}`;
}

/** `profile day`; null where none is active, or none is known. */
export function profileWords({ profiles = null }: Host): string | null {
  const active = profiles?.active ?? null;
  return active === null ? null : `profile ${active}`;
}

function secondLine(facts: HostFacts, hop: CollectorHop, freshness: Freshness, now: number): string[] {
  const { host } = facts;
  const line: string[] = [];
  const engine = host.demo ? 'emulated llama-swap' : 'llama-swap';
  line.push(host.version === null ? `${engine}, version not known` : `${engine} ${host.version}`);
  const profile = profileWords(host);
  // A host that was started again has another one: it is said only of one that is heard.
  if (profile !== null && freshness !== 'past') line.push(profile);
  if (isHeard(host)) {
    if (freshness === 'live') line.push(...runningFacts(facts));
    if (freshness === 'past' && hop.kind === 'away') line.push(`seen ${formatStamp(hop.asOf, now)}`);
    return line;
  }
  line.push(...stampOf(host, now));
  return line;
}

/** The one stamp of a host that is not heard: of its last data, or of when its state began. */
function stampOf(host: Host, now: number): string[] {
  const since = `since ${formatMoment(host.since, now)}`;
  if (host.paused || host.liveness === 'asleep') return [since];
  if (host.lastSeenAt === null) return ['never heard', since];
  if (host.liveness === 'unauthorized') return [`last data ${formatMoment(host.lastSeenAt, now)}`, since];
  return [`as of ${formatStamp(host.lastSeenAt, now)}`];
}

/** True while the collector hears the host. */
export function isHeard(host: Host): boolean {
  return host.liveness === 'connected' && !host.paused;
}

/** What runs, where no model's row can say it: unknown, or a number that names no models. */
function runningFacts({ inFlight }: HostFacts): string[] {
  if (inFlight === null || inFlight.total === null) return ['running requests not known'];
  return inFlight.requests === null && inFlight.total > 0 ? [`${inFlight.total} running`] : [];
}

function reasonWords(host: Host, hop: CollectorHop, now: number): string | null {
  if (host.paused) return 'Monitoring is paused: nothing is asked of it.';
  if (host.liveness === 'connected') return null;
  const stated = host.reason ?? DEFAULT_REASONS[host.liveness];
  if (hop.kind === 'away') return pastReason(host, stated, now);
  if (host.liveness !== 'reconnecting') return presentReason(host, stated, now);
  const parts = [stated];
  if (host.attempt !== null) {
    const waitMs = host.nextAttemptAt === null ? 0 : host.nextAttemptAt - now;
    const next = waitMs > 0 ? `, next try in ${Math.ceil(waitMs / 1000)} s` : '';
    parts.push(`Attempt ${host.attempt}${next}.`);
  }
  return parts.join(' ');
}

/** Said when the collector gave no reason of its own. */
const DEFAULT_REASONS: Readonly<Record<Exclude<Liveness, 'connected'>, string>> = {
  reconnecting: 'The event stream closed.',
  asleep: 'Behind a wake-on-LAN proxy. Not probed: a probe would wake it.',
  down: 'No answer: machine off, or network.',
  unauthorized: 'The host no longer accepts this key.',
  incompatible: 'It answers, but not as llama-swap v140 or later.',
};

function byModelId(one: Model, other: Model): number {
  return one.modelId < other.modelId ? -1 : one.modelId > other.modelId ? 1 : 0;
}

/** What stands where no request is listed. */
export function nothingRunsWords(host: Host, inFlight: InFlight | null, hop: CollectorHop): string {
  if (!isHeard(host)) return 'Not known while the host is not heard.';
  // Of what nothing was heard, nothing is said: least of all that the host could not tell.
  if (inFlight === null)
    return hop.kind === 'live' ? 'Not known yet.' : 'Not known while the collector is away.';
  if (inFlight.total === null) return 'This version of llama-swap does not say what runs.';
  return inFlight.total === 0 ? 'Nothing runs.' : 'Only a count is known.';
}
