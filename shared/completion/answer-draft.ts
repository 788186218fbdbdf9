import type {
  CompletionAnswer,
  CompletionTimings,
  CompletionUsage,
  TurnPart,
} from '../schemas/completion.ts';
import { at, countAt, numberAt, textAt } from './fields.ts';

/** A turn under way: `texts` are pieces, joined once at the end, so that a long stream costs linear time. */
interface DraftPart {
  readonly kind: 'text' | 'reasoning' | 'tool-call' | 'media';
  readonly texts: string[];
  callId: string | null;
  name: string;
}

interface DraftTurn {
  role: string;
  readonly parts: DraftPart[];
  readonly byKey: Map<string, DraftPart>;
}

/** Somebody who sends a choice number of a billion gets no list of that length, and no endless one. */
const MAX_TURNS = 64;
const MAX_NOTES = 20;

/** An answer being put together, whatever the dialect. Nothing given to it is ever an error. */
export class AnswerDraft {
  readonly #turns = new Map<number, DraftTurn>();
  readonly #notes = new Set<string>();
  #finishReason: string | null = null;
  #usage: CompletionUsage | null = null;
  #timings: CompletionTimings | null = null;
  #error: string | null = null;

  /** True while nothing was said. */
  get isEmpty(): boolean {
    return [...this.#turns.values()].every(({ parts }) => parts.length === 0);
  }

  role(turn: number, role: string): void {
    const found = this.#turn(turn);
    if (found) found.role = role;
  }

  /** Adds text to the part with this key; without one to the last part, where that is of the same kind. */
  say(turn: number, kind: 'text' | 'reasoning', text: string, key: string | null = null): void {
    if (text === '') return;
    const found = this.#turn(turn);
    if (!found) return;
    const last = found.parts.at(-1);
    const part =
      key === null && last?.kind === kind ? last : this.#part(found, kind, key === null ? null : kind + key);
    part.texts.push(text);
  }

  /** Adds what is told of the tool call with this key; its arguments are appended. */
  call(
    turn: number,
    key: string,
    told: { readonly callId: string | null; readonly name: string | null; readonly arguments: string | null },
  ): void {
    const found = this.#turn(turn);
    if (!found) return;
    const part = this.#part(found, 'tool-call', `call ${key}`);
    part.callId ??= told.callId;
    // Some servers send the name with each piece, others in pieces.
    if (told.name !== null && told.name !== part.name) part.name += told.name;
    if (told.arguments !== null) part.texts.push(told.arguments);
  }

  /** Something that is no text: its type, and a word about it. */
  media(turn: number, mediaType: string | null, detail: string): void {
    const found = this.#turn(turn);
    if (!found) return;
    const part = this.#part(found, 'media', null);
    part.name = mediaType ?? '';
    part.texts.push(detail);
  }

  finish(reason: string | null): void {
    this.#finishReason = reason ?? this.#finishReason;
  }

  /** Takes the usage an answer or a frame reports; later ones add to and replace earlier ones. */
  usage(usage: unknown): void {
    if (typeof usage !== 'object' || usage === null) return;
    const before = this.#usage;
    this.#usage = {
      inputTokens:
        countAt(usage, 'prompt_tokens') ?? countAt(usage, 'input_tokens') ?? before?.inputTokens ?? null,
      outputTokens:
        countAt(usage, 'completion_tokens') ??
        countAt(usage, 'output_tokens') ??
        before?.outputTokens ??
        null,
      cachedTokens:
        countAt(usage, 'prompt_tokens_details', 'cached_tokens') ??
        countAt(usage, 'input_tokens_details', 'cached_tokens') ??
        countAt(usage, 'cache_read_input_tokens') ??
        before?.cachedTokens ??
        null,
      reasoningTokens:
        countAt(usage, 'completion_tokens_details', 'reasoning_tokens') ??
        countAt(usage, 'output_tokens_details', 'reasoning_tokens') ??
        before?.reasoningTokens ??
        null,
    };
  }

  /** llama.cpp's own clock. */
  timings(timings: unknown): void {
    if (typeof timings !== 'object' || timings === null) return;
    this.#timings = {
      promptMs: numberAt(timings, 'prompt_ms'),
      predictedMs: numberAt(timings, 'predicted_ms'),
      promptPerSecond: numberAt(timings, 'prompt_per_second'),
      predictedPerSecond: numberAt(timings, 'predicted_per_second'),
    };
  }

  /** An error inside the answer: `{error: {message}}`, `{error: "…"}` or the object itself. */
  error(error: unknown): void {
    const text = textAt(error, 'message') ?? textAt(error, 'error', 'message') ?? textAt(error, 'error');
    const words = text ?? (typeof error === 'string' ? error : null);
    if (words !== null) this.#error = words;
    else if (at(error) !== undefined && error !== null) this.#error = JSON.stringify(error);
  }

  /** A sentence about what could not be read; said once. */
  note(sentence: string): void {
    if (this.#notes.size < MAX_NOTES) this.#notes.add(sentence);
  }

  /** What there is of the answer. */
  done(frameCount: number | null): CompletionAnswer {
    const turns = [...this.#turns].sort(([a], [b]) => a - b);
    return {
      turns: turns
        .filter(([, { parts }]) => parts.length > 0)
        .map(([, { role, parts }]) => ({ role, parts: parts.map(partOf) })),
      finishReason: this.#finishReason,
      usage: this.#usage,
      timings: this.#timings,
      error: this.#error,
      notes: [...this.#notes],
      frameCount,
    };
  }

  #turn(index: number): DraftTurn | null {
    const found = this.#turns.get(index);
    if (found) return found;
    if (this.#turns.size >= MAX_TURNS) {
      this.note(`Only ${MAX_TURNS} of its choices are shown.`);
      return null;
    }
    const turn: DraftTurn = { role: 'assistant', parts: [], byKey: new Map() };
    this.#turns.set(index, turn);
    return turn;
  }

  #part(turn: DraftTurn, kind: DraftPart['kind'], key: string | null): DraftPart {
    const known = key === null ? undefined : turn.byKey.get(key);
    if (known) return known;
    const part: DraftPart = { kind, texts: [], callId: null, name: '' };
    turn.parts.push(part);
    if (key !== null) turn.byKey.set(key, part);
    return part;
  }
}

function partOf({ kind, texts, callId, name }: DraftPart): TurnPart {
  const text = texts.join('');
  switch (kind) {
    case 'tool-call':
      return { kind, callId, name, arguments: text };
    case 'media':
      return { kind, mediaType: name === '' ? null : name, detail: text };
    default:
      return { kind, text };
  }
}
