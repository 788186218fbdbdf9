import type { LivePresence } from '#shared/schemas/live.ts';
import { formatAgo, formatMoment, plural } from '../../ui/format.ts';
import type { ActDraft } from './act-drafts.ts';
import { modelOf } from './act-drafts.ts';
import type { ActFacts, ActNeed, Cut } from './act-need.ts';
import { cancelView } from './cancel-view.ts';
import type { ConfirmRow } from './confirm-rows.ts';
import { confirmRows } from './confirm-rows.ts';

/** One way on from a confirm sheet. */
export interface ConfirmChoice {
  readonly key: string;
  readonly label: string;
  readonly look: 'danger' | 'ink' | 'plain';
  /** What is queued when it is chosen: it carries what the sheet showed. */
  readonly draft: ActDraft;
}

/** A confirm sheet as it reads at one moment. */
export interface ConfirmView {
  readonly title: string;
  /** Said first and in bold; then the rest. */
  readonly lead: string;
  readonly text: string;
  /** Who would be cut off. */
  readonly rows: readonly ConfirmRow[];
  /** How many more there are than rows. */
  readonly more: number;
  /** How current the count is, and what happens if it changes. */
  readonly note: string;
  readonly isCounted: boolean;
  readonly choices: readonly ConfirmChoice[];
  readonly keep: string;
  /** It will wait for the host: then it is asked how long. */
  readonly waits: boolean;
}

/** What a confirm sheet is made of besides the need. */
export interface ConfirmContext {
  readonly facts: ActFacts;
  readonly label: string;
  readonly now: number;
  /** When the host was last heard; null: not known. */
  readonly heardAt: number | null;
}

const MAX_ROWS = 5;

/** Words and choices of the sheet for a draft that has to be asked about. */
export function confirmView(draft: ActDraft, need: ActNeed, context: ConfirmContext): ConfirmView {
  switch (need.ask) {
    case 'cut':
      if (draft.kind === 'request.cancel') return cancelView(draft, need.cut, context);
      return cutView(draft, need, context);
    case 'wake':
      return wakeView(draft, context);
    case 'wait':
      return waitView(draft, context);
  }
}

function cutView(
  draft: ActDraft,
  { cut, waits }: Extract<ActNeed, { ask: 'cut' }>,
  context: ConfirmContext,
): ConfirmView {
  const { label, now, facts } = context;
  const modelId = modelOf(draft);
  const loaded = loadedModels(facts);
  const what = modelId ?? 'all models';
  const confirmed = { ...waiting(draft, waits), confirm: confirmOf(draft, cut.count) };
  const whenBack = waits ? ` when ${label} is back` : '';
  return {
    title: `Unload ${what} on ${label}?`,
    lead: leadOf(cut, modelId),
    text: [
      modelId === null && facts.isLive && loaded.length > 0 ? `Loaded now: ${loaded.join(', ')}.` : '',
      cut.count === 0 ? '' : cutWords(cut.count),
    ]
      .filter((part) => part !== '')
      .join(' '),
    rows: confirmRows(cut.requests, modelId !== null, now).slice(0, MAX_ROWS),
    more: Math.max(0, cut.requests.length - MAX_ROWS),
    note: noteOf(cut, modelId, context, waits),
    isCounted: cut.count !== null,
    choices: [
      {
        key: 'cut',
        label: `${cutLabel(cut.count, modelId)}${cut.count === null ? '' : whenBack}`,
        look: 'danger',
        draft: confirmed,
      },
      ...(neverCounts(facts)
        ? []
        : [
            {
              key: 'idle',
              label: `Unload only if idle${whenBack}`,
              look: 'plain' as const,
              draft: { ...waiting(draft, waits), precondition: { inFlightMax: 0 } },
            },
          ]),
    ],
    keep: modelId === null ? 'Keep them loaded' : 'Keep it loaded',
    waits,
  };
}

/**
 * A host that counts nothing is never known to be idle: what asks for that there could only be refused. While the
 * collector is away it is told by what the host offered; of one that was never reached nothing is known.
 */
function neverCounts({ host, inFlight, isLive }: ActFacts): boolean {
  if (isLive && inFlight !== null) return inFlight.requests === null && inFlight.total === null;
  return host !== null && host.features.length > 0 && !host.features.includes('in-flight');
}

/** `Unload and cut 2 requests`; what is not known is said in the button too. */
function cutLabel(count: number | null, modelId: string | null): string {
  const verb = modelId === null ? 'Unload all' : 'Unload';
  if (count === null) return `${verb} whatever runs: count unknown`;
  return count === 0 ? verb : `${verb} and cut ${plural(count, 'request')}`;
}

function leadOf({ count }: Cut, modelId: string | null): string {
  const where = modelId === null ? 'here' : 'on it';
  if (count === null) return `How many requests run ${where} is not known.`;
  if (count === 0) return `Nothing runs ${where} now.`;
  return count === 1 ? `1 request is running ${where}.` : `${count} requests are running ${where}.`;
}

function cutWords(count: number | null): string {
  if (count === null) return 'Those that do will be cut off, and their callers get half an answer.';
  return count === 1
    ? 'It will be cut off, and its caller gets half an answer.'
    : 'They will be cut off, and their callers get half an answer.';
}

function noteOf(
  cut: Cut,
  modelId: string | null,
  { facts, label, heardAt, now }: ConfirmContext,
  waits: boolean,
): string {
  if (cut.count !== null) {
    const heard = heardAt === null ? '' : `, ${formatAgo(heardAt, now)}`;
    return `Counted live${heard}. If more run when it is ${label}’s turn, nothing happens and you are asked again.`;
  }
  if (!facts.isLive)
    return 'This device does not hear the collector. It is queued here and sent when you are back.';
  if (waits) return `${label} is not heard now.`;
  const total = facts.inFlight?.total ?? null;
  if (modelId !== null && total !== null) {
    return `${plural(total, 'request')} ${total === 1 ? 'runs' : 'run'} on ${label}; this version of llama-swap does not say on which model.`;
  }
  return `${label} does not say what runs.`;
}

function wakeView(draft: ActDraft, { label, facts }: ConfirmContext): ConfirmView {
  const modelId = modelOf(draft) ?? 'it';
  return {
    title: `Wake ${label} to load ${modelId}?`,
    lead: `${label} is asleep; this will wake the machine.`,
    text: 'The load begins when it has started, which may take minutes. It can be aborted meanwhile.',
    rows: [],
    more: 0,
    note: facts.isLive
      ? ''
      : 'This device does not hear the collector. It is queued here until you are back.',
    isCounted: false,
    choices: [
      {
        key: 'wake',
        label: `Wake ${label} and load`,
        look: 'ink',
        draft: { ...draft, confirm: confirmOf(draft, null) },
      },
    ],
    keep: 'Let it sleep',
    waits: false,
  };
}

function waitView(draft: ActDraft, { label, facts }: ConfirmContext): ConfirmView {
  const what = draft.kind === 'model.load' ? `Load ${modelOf(draft)}` : 'Switch the profile';
  const verb = draft.kind === 'model.load' ? 'Load it' : 'Switch it';
  return {
    title: `${what} when ${label} is back?`,
    lead: awayWords(label, facts),
    text: 'Nothing can be done there now. It waits, and is done as soon as the host is heard again.',
    rows: [],
    more: 0,
    note: '',
    isCounted: false,
    choices: [{ key: 'wait', label: `${verb} when it is back`, look: 'ink', draft: waiting(draft, true) }],
    keep: 'Not now',
    waits: true,
  };
}

function awayWords(label: string, { host, isLive }: ActFacts): string {
  const be = isLive ? 'is' : 'was';
  if (host?.paused === true) return `Monitoring of ${label} ${be} paused.`;
  switch (host?.liveness) {
    case 'asleep':
      return `${label} ${be} asleep.`;
    case 'unauthorized':
      return `${label} ${isLive ? 'refuses' : 'refused'} the key.`;
    case 'incompatible':
      return `${label} ${be} not supported.`;
    default:
      return `${label} ${be} down.`;
  }
}

function waiting(draft: ActDraft, waits: boolean): ActDraft {
  return waits ? { ...draft, whenDown: 'wait' } : draft;
}

function confirmOf(draft: ActDraft, inFlight: number | null): NonNullable<ActDraft['confirm']> {
  const modelId = modelOf(draft);
  const { hostId } = draft.target;
  return modelId === null ? { hostId, inFlight } : { hostId, modelId, inFlight };
}

function loadedModels({ models }: ActFacts): readonly string[] {
  return models
    .filter(({ state, peerId }) => peerId === null && ['ready', 'starting', 'stopping'].includes(state))
    .map(({ modelId }) => modelId);
}

/** Others who have the same action open before them: `Ben is about to do the same.`; null when nobody has. */
export function othersPreparing(
  presence: LivePresence | null,
  draft: ActDraft,
  ownDeviceId: string | null,
): string | null {
  const modelId = modelOf(draft);
  const names = (presence?.people ?? [])
    .filter(
      ({ deviceId, preparing }) =>
        deviceId !== ownDeviceId && preparing?.kind === draft.kind && preparing.modelId === modelId,
    )
    .map(({ label }) => label);
  const [first] = names;
  if (first === undefined) return null;
  return names.length === 1
    ? `${first} is preparing the same.`
    : `${first} and ${names.length - 1} more are preparing the same.`;
}

/** How long an action may wait. `null`: as long as its kind says. */
export const WAIT_CHOICES = [
  { value: '5m', label: '5 min', ttlMs: null },
  { value: '1h', label: '1 h', ttlMs: 3_600_000 },
  { value: '12h', label: '12 h', ttlMs: 43_200_000 },
] as const;
/** See {@link WAIT_CHOICES}. */
export type WaitChoice = (typeof WAIT_CHOICES)[number]['value'];

/** `Void at 22:00 if it could not be done by then.` */
export function voidWords(choice: WaitChoice, now: number): string {
  const ttlMs = WAIT_CHOICES.find(({ value }) => value === choice)?.ttlMs ?? 5 * 60_000;
  return `Void at ${formatMoment(now + ttlMs, now)} if it could not be done by then.`;
}

/** The draft with its time to wait. */
export function withWait(draft: ActDraft, choice: WaitChoice): ActDraft {
  const ttlMs = WAIT_CHOICES.find(({ value }) => value === choice)?.ttlMs ?? null;
  return ttlMs === null ? draft : { ...draft, ttlMs };
}
