import type { IntentEntry } from '../../data/intents/types.ts';
import { formatElapsed, formatMoment, formatStamp } from '../../ui/format.ts';
import { intentLook, intentPlace } from './intent-state.ts';
import { intentTitle, spanWords, stepAt } from './intent-words.ts';

/** What became of an action, in two parts: the state's word as it begins the sentence, and the rest. */
export interface IntentOutcome {
  /** `Done.`, `Waiting`, `was running`: shown in the state's hue. */
  readonly word: string;
  /** `Ready after 4 s`, without the full stop at its end; empty where the word says it all. */
  readonly text: string;
}

/** What the words depend on besides the intent. */
export interface OutcomeContext {
  readonly now: number;
  /** The collector is away: what goes on there is only known to have been. */
  readonly isPast?: boolean;
  /** The intent that the evidence names; null when there is none or it is not known any more. */
  readonly other?: IntentEntry | null;
  /** How long the same took before, see `usualMs`. */
  readonly usualMs?: number | null;
}

/** Says what became of it and why. */
export function intentOutcome(entry: IntentEntry, context: OutcomeContext): IntentOutcome {
  const { now, isPast = false } = context;
  const { word } = intentLook(entry.state, isPast);
  const reason = personal(entry, context.other ?? null);
  switch (entry.state) {
    case 'queued':
      return { word: 'queued here', text: formatStamp(entry.createdAt, now) };
    case 'not-saved':
      return { word: 'Not saved here.', text: 'The browser keeps nothing: it is lost when this page closes' };
    case 'sent':
      return { word: 'sent', text: `${formatStamp(lastStepAt(entry), now)}, not yet received` };
    case 'expired-here':
      return expiredHere(entry, now);
    case 'dropped':
      return { word: 'Dropped', text: 'by you. Nothing was sent' };
    case 'received':
      return { word, text: formatMoment(lastStepAt(entry), now) };
    case 'waiting':
      return { word, text: waitingWords(reason, isPast) };
    case 'claimed':
      return { word, text: '' };
    case 'running':
      return { word, text: runningWords(entry, reason, context) };
    case 'succeeded':
      return doneWords(reason, context.other ?? null);
    case 'expired': {
      const at = formatMoment(entry.endedAt ?? entry.expiresAt, now);
      return { word, text: withoutStop(`${at} ${lowerFirst(withoutWord(reason, /^Expired,? ?/))}`.trim()) };
    }
    case 'cancelled':
      return { word, text: withoutStop(lowerFirst(reason)).replace(/, before/, ' before') };
    case 'needs_confirmation':
    case 'rejected':
      return { word: `${word}.`, text: withoutStop(withoutNot(reason)) };
    case 'failed':
    case 'unknown':
    case 'superseded':
      return { word: reason === '' ? word : `${word}.`, text: withoutStop(reason) };
  }
}

/** The outcome as one sentence, for a toast or a reader: `Done. Ready after 4 s.` */
export function outcomeSentence(entry: IntentEntry, context: OutcomeContext): string {
  const { word, text } = intentOutcome(entry, context);
  const sentence = upperFirst(text === '' ? word : `${word} ${text}`);
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}

/**
 * The few words a list beside a page has room for: `running 0:14`, `needs you`, `13:33, took 4 s`, `same as Ben’s, 13:24`.
 */
export function briefOutcome(entry: IntentEntry, context: OutcomeContext): string {
  const { now, isPast = false, other = null } = context;
  const at = formatMoment(entry.endedAt ?? lastStepAt(entry), now);
  const look = intentLook(entry.state, isPast);
  if (intentPlace(entry.state) === 'device') return look.word.toLowerCase();
  if (intentPlace(entry.state) === 'collector') {
    const startedAt = stepAt(entry, 'running');
    const runs = entry.state === 'running' && startedAt !== null && !isPast;
    return runs ? `running ${formatElapsed(now - startedAt)}` : look.word.toLowerCase();
  }
  if (entry.state === 'needs_confirmation') return entry.isMine ? 'needs you' : 'to confirm again';
  if (entry.state === 'succeeded') {
    const startedAt = stepAt(entry, 'running');
    const took = startedAt === null || entry.endedAt === null ? null : entry.endedAt - startedAt;
    return took === null ? at : `${at}, took ${spanWords(took)}`;
  }
  if (entry.code === 'same_meaning' && other !== null) {
    return other.isMine ? `same as yours, ${at}` : `same as ${possessive(other.author.label)}, ${at}`;
  }
  const cause = entry.state === 'failed' ? shortCause(entry.reason) : null;
  return `${at}, ${cause ?? look.word.toLowerCase()}`;
}

/**
 * What somebody else’s action did after one of mine: `Ben’s “Unload coder” was done after yours`. Null when the two have
 * nothing to do with each other.
 */
export function contradictionWords(theirs: IntentEntry, mine: IntentEntry): string | null {
  if (theirs.isMine || !mine.isMine || theirs.evidence?.byIntentId !== mine.id) return null;
  const after = afterOther(theirs.reason ?? '');
  if (after === null) return null;
  const done = theirs.state === 'succeeded' ? 'was done after' : 'came after';
  return `${possessive(theirs.author.label)} “${intentTitle(theirs)}” ${done} your “${intentTitle(mine)}”, received ${isAtOnce(after.earlier) ? 'just after' : `${after.earlier} later`}.`;
}

/** `Ben’s`, `James’`. */
export function possessive(label: string): string {
  return label.endsWith('s') ? `${label}’` : `${label}’s`;
}

function expiredHere(entry: IntentEntry, now: number): IntentOutcome {
  const at = entry.endedAt ?? entry.expiresAt;
  const after = spanWords(entry.expiresAt - entry.createdAt);
  return { word: 'Expired', text: `${formatMoment(at, now)}, ${after} after you asked. Nothing was done` };
}

function waitingWords(reason: string, isPast: boolean): string {
  const words = withoutStop(lowerFirst(reason));
  if (words === '') return isPast ? '' : 'for its turn';
  // The first clause is what it waits for; what is wrong with the host stands in the detail.
  return words.replace(/\. .*$/, '');
}

function runningWords(entry: IntentEntry, reason: string, { now, isPast, usualMs }: OutcomeContext): string {
  const startedAt = stepAt(entry, 'running');
  if (isPast === true) return startedAt === null ? '' : `since ${formatMoment(startedAt, now)}`;
  const elapsed = startedAt === null ? '' : formatElapsed(now - startedAt);
  const usually = usualMs == null ? '' : `, usually ${formatElapsed(usualMs)}`;
  return withoutStop(reason === '' ? `${elapsed}${usually}` : `${elapsed}. ${reason}`);
}

/** `Done. Ready after 4 s. It came after ben's "Load coder", received 20 s earlier.` in the words of a person. */
function doneWords(reason: string, other: IntentEntry | null): IntentOutcome {
  const after = afterOther(reason);
  const plain = withoutStop(withoutWord(after === null ? reason : after.before, /^Done\. ?/));
  if (after === null) return { word: plain === '' ? 'Done' : 'Done.', text: plain };
  const whose = other?.isMine === true ? 'your' : possessive(after.label);
  const earlier = isAtOnce(after.earlier) ? 'just before' : `${after.earlier} earlier`;
  const text = `after ${whose} “${after.title}”, received ${earlier}`;
  return { word: 'Done,', text: plain === '' ? text : `${text}. ${plain}` };
}

interface AfterOther {
  readonly before: string;
  readonly label: string;
  readonly title: string;
  readonly earlier: string;
}

/** Takes apart what the collector adds when somebody else’s action was done first. */
function afterOther(reason: string): AfterOther | null {
  const found = /^(.*?) ?It came after (.+)'s "(.+)", received (.+) earlier\.$/s.exec(reason);
  const [, before, label, title, earlier] = found ?? [];
  if (before === undefined || label === undefined || title === undefined || earlier === undefined)
    return null;
  return { before, label, title, earlier };
}

/** Under a second: no person tells which was first by that. */
function isAtOnce(span: string): boolean {
  return span === '0 s' || span.endsWith(' ms');
}

/** The collector names people by their label, and says “you” to whoever asked: put for whoever reads. */
function personal(entry: IntentEntry, other: IntentEntry | null): string {
  const { reason, isMine, author } = entry;
  if (reason === null) return '';
  if (!isMine) return reason.replaceAll(/\byou had\b/g, `${author.label} had`);
  const label = escapeForPattern(author.label);
  const own = reason
    .replace(new RegExp(`^By ${label}, `), 'By you, ')
    .replace(new RegExp(`^Replaced by another of ${label}\\.$`), 'Replaced by another of yours.')
    .replace(new RegExp(`^Stopped by ${label}\\.$`), 'Stopped by you.')
    .replace(
      new RegExp(`^The role of ${label} is (\\w+); this needs (\\w+)\\.$`),
      'Your role is $1; this needs $2.',
    );
  return other?.isMine === true && entry.code === 'same_meaning'
    ? own.replace(/^.+ asked for the same /, 'You asked for the same ')
    : own;
}

/** `out of memory, see log`: the last clause of why a start failed. */
function shortCause(reason: string | null): string | null {
  const cause = /^It did not start: (.+?)\.$/.exec(reason ?? '')?.[1];
  const last = cause?.split(': ').at(-1);
  return last === undefined ? null : `${last}, see log`;
}

function lastStepAt(entry: IntentEntry): number {
  return entry.steps.at(-1)?.at ?? entry.createdAt;
}

function withoutWord(sentence: string, word: RegExp): string {
  return sentence.replace(word, '');
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}

/** `Not unloaded: 2 requests were running.` after the state's word: the state says already that it was not. */
function withoutNot(sentence: string): string {
  const rest = withoutWord(sentence, /^Not \w+: /);
  // A name keeps its case: a model `coder` is no `Coder`.
  return /^(how|quiet|the host|nobody) /.test(rest) ? upperFirst(rest) : rest;
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

function upperFirst(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function escapeForPattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
