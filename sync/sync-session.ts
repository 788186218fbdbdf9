import type { LiveSubscription, PresenceReport } from '#shared/schemas/live.ts';
import { CLOSE_CODES } from './close-codes.ts';
import type { CloseCode } from './close-codes.ts';
import { FrameAllowance } from './frame-allowance.ts';
import { encodeDiscard } from './live-frame.ts';
import { readClientFrame } from './sync-frame.ts';
import type { DeleteRange } from './sync-frame.ts';

/** What the shell does for a session, in order. */
export type SessionAction =
  /** Answer with a step 2 for this state vector. */
  | { readonly type: 'answer'; readonly stateVector: Uint8Array }
  | { readonly type: 'send'; readonly frame: Uint8Array }
  | { readonly type: 'subscribe'; readonly subscription: LiveSubscription }
  | { readonly type: 'presence'; readonly report: PresenceReport }
  | { readonly type: 'close'; readonly code: CloseCode; readonly reason: string };

/** Limits of one socket. */
export interface SessionLimits {
  readonly frameBytes: number;
  /** Frames at once, and how many come back a second. */
  readonly burstFrames: number;
  readonly framesPerSecond: number;
}

/** A well-behaved client sends a handful of frames a minute; a person typing into a read-only document some tens a second. */
export const SESSION_LIMITS: SessionLimits = {
  frameBytes: 256 * 1024,
  burstFrames: 200,
  framesPerSecond: 40,
};

/** What a session needs to know. */
export interface SessionOptions {
  readonly document: string;
  readonly now: number;
  /** True when the document holds all of these deletions already. */
  readonly knowsDeletes: (ranges: readonly DeleteRange[]) => boolean;
  readonly limits?: SessionLimits;
}

/** One socket on a read-only document: frames in, actions out. Knows no socket, no clock and no Yjs document. */
export class SyncSession {
  readonly #options: SessionOptions;
  readonly #limits: SessionLimits;
  readonly #allowance: FrameAllowance;
  #readsLive = false;
  #discard: 'none' | 'due' | 'sent' = 'none';
  #droppedWrites = 0;
  #ended = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#limits = options.limits ?? SESSION_LIMITS;
    this.#allowance = new FrameAllowance(this.#limits, options.now);
  }

  /** Writes that were dropped: step 2s and updates with content that the document lacks. */
  get droppedWrites(): number {
    return this.#droppedWrites;
  }

  /** True once the client showed that it reads live frames: a stock one logs an error for each. */
  get readsLive(): boolean {
    return this.#readsLive;
  }

  /** Takes one binary frame; null stands for a text frame. After a close action every frame is ignored. */
  receive(frame: Uint8Array | null, now: number): readonly SessionAction[] {
    if (this.#ended) return [];
    if (frame === null) return this.#close(CLOSE_CODES.malformed, 'text frames are not spoken here');
    if (frame.byteLength > this.#limits.frameBytes) return this.#close(CLOSE_CODES.quota, 'frame too large');
    if (!this.#allowance.takes(now)) return this.#close(CLOSE_CODES.quota, 'too many frames');
    const message = readClientFrame(frame);
    switch (message.type) {
      case 'step-1':
        return [{ type: 'answer', stateVector: message.stateVector }];
      case 'update':
        return this.#write(message.deletes);
      case 'subscribe':
        this.#readsLive = true;
        return [...this.#tellDiscard(), { type: 'subscribe', subscription: message.subscription }];
      case 'presence':
        return [{ type: 'presence', report: message.report }];
      case 'clock':
      case 'ignored':
        return [];
      case 'malformed':
        return this.#close(CLOSE_CODES.malformed, 'malformed frame');
    }
  }

  /** The client holds what the document does not have (history went back here): its copy is of no use. */
  discardCopy(): readonly SessionAction[] {
    if (this.#discard === 'none') this.#discard = 'due';
    return this.#tellDiscard();
  }

  #write(deletes: readonly DeleteRange[] | null): readonly SessionAction[] {
    if (deletes !== null && this.#options.knowsDeletes(deletes)) return [];
    this.#droppedWrites += 1;
    return this.discardCopy();
  }

  /** Once a connection, and only to a client that reads live frames. */
  #tellDiscard(): readonly SessionAction[] {
    if (this.#discard !== 'due' || !this.#readsLive) return [];
    this.#discard = 'sent';
    return [{ type: 'send', frame: encodeDiscard(this.#options.document) }];
  }

  #close(code: CloseCode, reason: string): readonly SessionAction[] {
    this.#ended = true;
    return [{ type: 'close', code, reason }];
  }
}
