import type { InFlightRequest } from '#shared/schemas/in-flight.ts';
import type { IntentFacts } from '#shared/schemas/intent.ts';
import type { IntentEntry } from '../../data/intents/types.ts';
import { formatTime, UNKNOWN } from '../../ui/format.ts';
import type { IntentLook } from '../intents/intent-state.ts';
import { intentPlace, stepLook } from '../intents/intent-state.ts';
import type { OutcomeContext } from '../intents/intent-outcome.ts';
import { intentOutcome, outcomeSentence } from '../intents/intent-outcome.ts';
import { spanWords } from '../intents/intent-words.ts';

/** What was seen, what was found when it was decided, and what is there now. */
export interface FactsTable {
  /** Heads of the columns: `You saw, 14:08:30`, `At the check, 14:09:14`, `Now, live`. */
  readonly heads: readonly string[];
  readonly rows: readonly FactsRow[];
}

/** See {@link FactsTable}. */
export interface FactsRow {
  readonly name: string;
  readonly cells: readonly { readonly text: string; readonly isChanged: boolean }[];
}

/** What this device knows of the target now. */
export interface FactsNow {
  readonly liveness: string | null;
  readonly modelState: string | null;
  readonly inFlight: number | null;
  /** What acts on the host, or that nothing does; null: not known. */
  readonly lease: string | null;
  /** `Now, live`, or since when it is not. */
  readonly head: string;
}

/** Compares the three moments; null where nothing but now is known of an action that is over. */
export function factsTable(entry: IntentEntry, now: FactsNow): FactsTable {
  const checked = entry.evidence?.checked ?? entry.evidence?.observed ?? null;
  const checkWord = entry.evidence?.checked === undefined ? 'At the end' : 'At the check';
  const saw: Omit<FactsNow, 'head' | 'lease'> = {
    liveness: null,
    modelState: entry.precondition?.modelState?.join(' or ') ?? null,
    inFlight: entry.confirm?.inFlight ?? null,
  };
  const who = entry.isMine ? 'You' : entry.author.label;
  const columns = [
    ...(entry.seenAt === null && saw.modelState === null && entry.confirm === null
      ? []
      : [
          {
            head: entry.seenAt === null ? `${who} saw` : `${who} saw, ${formatTime(entry.seenAt)}`,
            facts: saw,
            isCheck: false,
          },
        ]),
    ...(checked === null
      ? []
      : [{ head: `${checkWord}, ${formatTime(checked.at)}`, facts: checked, isCheck: true }]),
    { head: now.head, facts: now, isCheck: false },
  ];
  const row = (name: string, read: (facts: Omit<IntentFacts, 'at'>) => string | null): FactsRow => ({
    name,
    cells: columns.map(({ facts, isCheck }) => {
      const text = read(facts) ?? UNKNOWN;
      const before = read(saw);
      return { text, isChanged: isCheck && before !== null && before !== text };
    }),
  });
  return {
    heads: columns.map(({ head }) => head),
    rows: [
      row('Host', ({ liveness }) => (liveness === 'connected' ? 'live' : liveness)),
      ...(entry.target.modelId === undefined ? [] : [row('Model', ({ modelState }) => modelState)]),
      row('Running requests', ({ inFlight }) => (inFlight === null ? null : String(inFlight))),
      // Only now is on the wire.
      {
        name: 'Acting on the host',
        cells: columns.map((_column, index) => ({
          text: index === columns.length - 1 ? (now.lease ?? UNKNOWN) : UNKNOWN,
          isChanged: false,
        })),
      },
    ],
  };
}

/** One step of an action's life. */
export interface StepView {
  readonly key: string;
  readonly time: string;
  readonly look: IntentLook;
  readonly strong: string;
  readonly text: string;
}

/** What became of it, for who has the whole of it before them; of a question also what is new since they looked. */
export function detailSentence(
  entry: IntentEntry,
  context: OutcomeContext,
  requests: readonly Pick<InFlightRequest, 'elapsedMs' | 'observedAt'>[],
): string {
  const sentence = outcomeSentence(entry, context);
  if (entry.state !== 'needs_confirmation') return sentence;
  const rest = intentOutcome(entry, context).text;
  const said = rest === '' ? 'Not done.' : `Not done. When its turn came, ${rest}.`;
  const { seenAt } = entry;
  if (seenAt === null) return said;
  const later = requests.flatMap(({ elapsedMs, observedAt }) =>
    elapsedMs !== null && observedAt - elapsedMs > seenAt ? [observedAt - elapsedMs - seenAt] : [],
  );
  const [first] = later.toSorted((one, other) => one - other);
  if (first === undefined) return said;
  const when = `${spanWords(first)} after you looked`;
  return later.length === 1
    ? `${said} One of those that run now started ${when}.`
    : `${said} ${later.length} of those that run now started later, the first ${when}.`;
}

/** What happened, oldest first. */
export function stepViews(entry: IntentEntry, context: OutcomeContext): readonly StepView[] {
  return entry.steps.map((step, index) => {
    const isLast = index === entry.steps.length - 1 && step.state === entry.state;
    const { strong, text } = stepWords(entry, step, isLast ? context : null);
    return {
      key: `${index} ${step.state}`,
      time: formatTime(step.at),
      look: stepLook(step.state),
      strong,
      text,
    };
  });
}

function stepWords(
  entry: IntentEntry,
  step: IntentEntry['steps'][number],
  last: OutcomeContext | null,
): { readonly strong: string; readonly text: string } {
  const { author } = entry;
  switch (step.state) {
    case 'queued':
      return { strong: 'Queued', text: `on ${author.label}` };
    case 'not-saved':
      return { strong: 'Not saved', text: `on ${author.label}: the browser refused` };
    case 'sent':
      return { strong: 'Sent', text: `by ${step.by}` };
    case 'received': {
      const age = step.at - entry.createdAt;
      return { strong: 'Received', text: `by the collector${age < 1000 ? '' : `, ${spanWords(age)} old`}` };
    }
    case 'waiting':
      return last === null
        ? { strong: 'Waited', text: waitedFor(entry) }
        : { strong: 'Waiting', text: intentOutcome(entry, last).text };
    case 'claimed':
      return { strong: 'Claimed', text: 'by the collector' };
    case 'running':
      return { strong: 'Started', text: '' };
    default: {
      if (last === null || intentPlace(entry.state) !== 'ended')
        return { strong: stepLook(step.state).word, text: '' };
      const { word, text } = intentOutcome(entry, last);
      return { strong: word, text };
    }
  }
}

/** The reason of a wait is gone once it is over; what stood before it may still be in the evidence. */
function waitedFor({ evidence }: IntentEntry): string {
  const [first] = evidence?.pending ?? [];
  return first === undefined ? 'for its turn' : `behind ${first.label}`;
}

/** The record in one line: kind, what must hold, what was confirmed, until when. */
export function recordWords(entry: IntentEntry): string {
  const { precondition, confirm } = entry;
  const parts: string[] = [entry.kind];
  if (precondition?.modelState !== undefined) parts.push(`modelState ${precondition.modelState.join('|')}`);
  if (precondition?.inFlightMax !== undefined) parts.push(`inFlightMax ${precondition.inFlightMax}`);
  if (precondition?.idleForMs !== undefined) parts.push(`idleForMs ${precondition.idleForMs}`);
  if (confirm !== null) {
    const { hostId, modelId = 'all', inFlight } = confirm;
    parts.push(`confirm ${hostId}, ${modelId}, ${inFlight ?? 'count unknown'}`);
  }
  if (entry.whenDown === 'wait') parts.push('whenDown wait');
  if (entry.supersedes !== null) parts.push(`supersedes ${entry.supersedes}`);
  if (entry.code !== null) parts.push(entry.code);
  parts.push(`void ${formatTime(entry.expiresAt)}`);
  return parts.join(' · ');
}

/** What the host answered, where it says more than the sentence; null where it does not. */
export function answerWords({ evidence }: IntentEntry): string | null {
  if (evidence === null) return null;
  const parts = [
    evidence.httpStatus === undefined ? null : `status ${evidence.httpStatus}`,
    evidence.detail ?? null,
    evidence.afterRestart === true ? 'settled after a restart of the collector' : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(', ');
}
