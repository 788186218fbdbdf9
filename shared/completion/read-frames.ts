import { createParser, type EventSourceParser } from 'eventsource-parser';

/** A frame of an event stream. */
export interface SseFrame {
  /** Null: it has no name. */
  readonly event: string | null;
  readonly data: string;
}

/** What was left of a stream when it ended. */
export interface FrameEnd {
  /** `frame`: it ended inside a frame, and what there is of it was given as one; `line`: inside a line of no meaning yet. */
  readonly cut: 'frame' | 'line' | null;
  /** Lines that belong to no event stream. */
  readonly strayLines: number;
}

/** Frames of an event stream whose text comes in pieces cut anywhere. */
export class FrameReader {
  readonly #parser: EventSourceParser;
  #strayLines = 0;
  #frames = 0;

  constructor(onFrame: (frame: SseFrame) => void) {
    this.#parser = createParser({
      onEvent: ({ event, data }) => {
        this.#frames += 1;
        onFrame({ event: event ?? null, data });
      },
      onError: () => {
        this.#strayLines += 1;
      },
    });
  }

  push(text: string): void {
    this.#parser.feed(text);
  }

  /** The stream is over: a frame that was begun is given as far as it came. */
  end(): FrameEnd {
    const [frames, strayLines] = [this.#frames, this.#strayLines];
    this.#parser.feed('\n\n');
    const cut = this.#frames > frames ? 'frame' : this.#strayLines > strayLines ? 'line' : null;
    return { cut, strayLines };
  }
}
