import type { CompletionAnswer } from '../schemas/completion.ts';
import { AnswerDraft } from './answer-draft.ts';
import { takeChat } from './chat-answer.ts';
import { at, readJson, textAt } from './fields.ts';
import { takeMessage } from './messages-answer.ts';
import { FrameReader } from './read-frames.ts';
import { takeResponse } from './responses-answer.ts';

const DONE = '[DONE]';

/**
 * Puts the event stream of an answer together from pieces cut anywhere: OpenAI's chat and text completions, its Responses
 * API, Anthropic's messages, and llama.cpp's own. What cannot be read costs itself only, and is noted.
 */
export class AnswerReader {
  readonly #draft = new AnswerDraft();
  readonly #frames: FrameReader;
  #count = 0;
  #known = 0;
  #unreadable = 0;
  #isLastUnreadable = false;
  #hasEnded = false;

  constructor() {
    this.#frames = new FrameReader(({ event, data }) => this.#take(event, data));
  }

  push(text: string): void {
    this.#frames.push(text);
  }

  /** The stream is over; null when none of its frames is of a kind that is known here. */
  end(): CompletionAnswer | null {
    const { cut, strayLines } = this.#frames.end();
    if (this.#known === 0) return null;
    const halfFrame = cut === 'frame' && this.#isLastUnreadable;
    const unreadable = this.#unreadable - (halfFrame ? 1 : 0);
    if (unreadable > 0) this.#draft.note(`${counted(unreadable, 'frame')} could not be read and left out.`);
    if (strayLines > 0) this.#draft.note(`${counted(strayLines, 'line')} between the frames belong to none.`);
    if (halfFrame || cut === 'line')
      this.#draft.note('The stream breaks off inside a frame: what was said before it is here.');
    else if (!this.#hasEnded)
      this.#draft.note('The stream ends without its end mark: more may have followed.');
    return this.#draft.done(this.#count);
  }

  #take(event: string | null, data: string): void {
    this.#count += 1;
    this.#isLastUnreadable = false;
    if (data.trim() === DONE) {
      this.#hasEnded = true;
      this.#known += 1;
      return;
    }
    const json = readJson(data);
    if (typeof json !== 'object' || json === null) {
      this.#unreadable += 1;
      this.#isLastUnreadable = true;
      return;
    }
    const draft = this.#draft;
    const taken = takeMessage(draft, json) || takeResponse(draft, json) || takeChat(draft, json);
    const error = at(json, 'error');
    const isError =
      (error !== undefined && error !== null) || event === 'error' || textAt(json, 'type') === 'error';
    if (isError) draft.error(error ?? json);
    if (taken || isError) this.#known += 1;
    if (isEnd(json)) this.#hasEnded = true;
  }
}

/** Whether this frame is the last one of its dialect; OpenAI's is no JSON. */
function isEnd(json: unknown): boolean {
  const type = textAt(json, 'type');
  if (type === 'message_stop' || at(json, 'stop') === true) return true;
  return type === 'response.completed' || type === 'response.incomplete' || type === 'response.failed';
}

/** The answer of an event stream; null when it is of no kind that is known here. */
export function readStreamedAnswer(text: string): CompletionAnswer | null {
  const reader = new AnswerReader();
  reader.push(text);
  return reader.end();
}

/** The answer of a body in JSON; null when it is of no kind that is known here. */
export function readWholeAnswer(json: unknown): CompletionAnswer | null {
  const draft = new AnswerDraft();
  const taken = takeMessage(draft, json) || takeResponse(draft, json) || takeChat(draft, json);
  const error = at(json, 'error');
  const isError = error !== undefined && error !== null;
  if (isError) draft.error(error);
  if (!taken && !isError) return null;
  const answer = draft.done(null);
  // Embeddings report usage too, and say nothing.
  return answer.turns.length === 0 && answer.error === null && at(json, 'choices') === undefined
    ? null
    : answer;
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
