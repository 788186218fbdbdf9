import { createParser, type EventSourceParser } from 'eventsource-parser';
import { LOG_FRAME_START, parseUpstreamFrame } from '../domain/parse-upstream-frame.ts';
import type { UpstreamEvent } from '../domain/upstream-event.ts';

/** Longest frame that is read, in characters; a longer one is `malformed`, and reading goes on after it. */
export const MAX_FRAME_LENGTH = 32 * 1024 * 1024;
/** How far parsing may fall behind what was read, in bytes waiting and in the age of the oldest of them. */
export const MAX_BACKLOG_BYTES = 8 * 1024 * 1024;
export const MAX_LAG_MS = 2000;

/** Receives what a pipeline read, in order of arrival. */
export interface PipelineOutput {
  onEvent(event: UpstreamEvent): void;
  /** So many frames of logs were cut out unread, because parsing fell behind. */
  onLogsDropped(count: number): void;
}

/** What a slice of work left: nothing, something to go on with, or more than may ever wait. */
export type PipelineState = 'idle' | 'busy' | 'overload';

interface Waiting<T> {
  readonly item: T;
  /** When the bytes (for a frame: its last bytes) arrived. */
  readonly at: number;
}

/**
 * Bytes of an event stream in, events out, in two halves that never wait for each other: `push` only stores, so that
 * the socket is always drained (a reader that stalls makes v218–v250 flood their own log), and `run` parses for a few
 * milliseconds at a time. When what waits passes the limits, frames of logs are cut out unread first; if that is not
 * enough the state is `overload`, and the connection has to be closed and made anew.
 */
export class EventPipeline {
  readonly #output: PipelineOutput;
  readonly #now: () => number;
  readonly #decoder = new TextDecoder();
  readonly #parser: EventSourceParser;
  #chunks: Waiting<Uint8Array>[] = [];
  #frames: Waiting<string>[] = [];
  #nextChunk = 0;
  #nextFrame = 0;
  #waitingBytes = 0;
  #arrivedAt = 0;
  #badLines = 0;
  #tooLong = false;
  /** As this stream's host told; a pipeline serves one connection. */
  #sessionHeaders: readonly string[] | undefined;

  /** `now` is a monotonic clock in milliseconds. */
  constructor(output: PipelineOutput, now: () => number = () => performance.now()) {
    this.#output = output;
    this.#now = now;
    this.#parser = createParser({
      maxBufferSize: MAX_FRAME_LENGTH,
      onEvent: ({ data }) => this.#store(data),
      onError: ({ type }) => {
        if (type === 'max-buffer-size-exceeded') this.#tooLong = true;
        else this.#badLines += 1;
      },
    });
  }

  /** Stores bytes as they came from the socket; cheap whatever they hold. The caller gives the array away. */
  push(chunk: Uint8Array): void {
    this.#chunks.push({ item: chunk, at: this.#now() });
    this.#waitingBytes += chunk.byteLength;
  }

  /** Works off what waits for about `budgetMs` (one frame is never interrupted) and says what is left. */
  run(budgetMs: number): PipelineState {
    const deadline = this.#now() + budgetMs;
    do {
      if (!this.#step()) return 'idle';
    } while (this.#now() < deadline);
    if (!this.#isBehind()) return 'busy';
    this.#cutLogs();
    return this.#isBehind() ? 'overload' : 'busy';
  }

  /** Reads one waiting frame, or cuts one waiting chunk into frames; false when nothing waits. */
  #step(): boolean {
    const frame = this.#frames[this.#nextFrame];
    if (frame) {
      this.#nextFrame += 1;
      this.#waitingBytes -= frame.item.length;
      for (const event of parseUpstreamFrame(frame.item, this.#sessionHeaders)) {
        if (event.type === 'ui-config') this.#sessionHeaders = event.sessionHeaders;
        this.#output.onEvent(event);
      }
      return true;
    }
    this.#frames = [];
    this.#nextFrame = 0;
    return this.#split();
  }

  #split(): boolean {
    const chunk = this.#chunks[this.#nextChunk];
    if (!chunk) {
      this.#chunks = [];
      this.#nextChunk = 0;
      return false;
    }
    this.#nextChunk += 1;
    // A long line arrives in thousands of chunks: those already read must not stay in memory until it ends.
    if (this.#nextChunk >= 1024) {
      this.#chunks = this.#chunks.slice(this.#nextChunk);
      this.#nextChunk = 0;
    }
    this.#waitingBytes -= chunk.item.byteLength;
    this.#arrivedAt = chunk.at;
    this.#parser.feed(this.#decoder.decode(chunk.item, { stream: true }));
    this.#reportBadInput();
    return true;
  }

  #store(data: string): void {
    this.#frames.push({ item: data, at: this.#arrivedAt });
    this.#waitingBytes += data.length;
  }

  #reportBadInput(): void {
    if (this.#tooLong) {
      this.#tooLong = false;
      // What is left of the line is skipped: it starts with no field name.
      this.#parser.reset();
      this.#output.onEvent({ type: 'malformed', detail: `a message over ${MAX_FRAME_LENGTH} characters` });
    }
    if (this.#badLines > 0) {
      this.#output.onEvent({
        type: 'malformed',
        detail: `${this.#badLines} lines that belong to no message`,
      });
      this.#badLines = 0;
    }
  }

  /** The frame that comes next may be as large as it likes: only what waits behind it counts. */
  #isBehind(): boolean {
    const next = this.#frames[this.#nextFrame];
    const oldest = next ?? this.#chunks[this.#nextChunk];
    if (!oldest) return false;
    const behindNext = this.#waitingBytes - (next?.item.length ?? 0);
    return behindNext >= MAX_BACKLOG_BYTES || this.#now() - oldest.at >= MAX_LAG_MS;
  }

  #cutLogs(): void {
    while (this.#split());
    const waiting = this.#frames.slice(this.#nextFrame);
    const kept = waiting.filter(({ item }) => !item.startsWith(LOG_FRAME_START));
    this.#frames = kept;
    this.#nextFrame = 0;
    this.#waitingBytes = kept.reduce((bytes, { item }) => bytes + item.length, 0);
    if (kept.length < waiting.length) this.#output.onLogsDropped(waiting.length - kept.length);
  }
}
