import { CLOSE_CODES, type CloseCode } from './close-codes.ts';
import { FrameAllowance, type FrameRate } from './frame-allowance.ts';
import { OUTBOX_LIMITS } from './outbox-doc.ts';
import { readClientFrame } from './sync-frame.ts';

/** What the shell does for an outbox's socket. */
export type OutboxAction =
  /** Answer with a step 2 for this state vector. */
  | { readonly type: 'answer'; readonly stateVector: Uint8Array }
  /** Have this update judged; nothing of it was read yet. */
  | { readonly type: 'write'; readonly update: Uint8Array }
  | { readonly type: 'clock'; readonly deviceNowMs: number }
  /** `isHostile`: no device of ours sends this, and the same would come again from the same document. */
  | {
      readonly type: 'close';
      readonly code: CloseCode;
      readonly reason: string;
      readonly isHostile: boolean;
    };

/** What stands around an update in a frame has a few bytes. */
const FRAME_MAX_BYTES = OUTBOX_LIMITS.documentBytes + 64;

/** A device writes when a person does something; coming back it brings everything in one step 2. */
export const OUTBOX_RATE: FrameRate = { burstFrames: 200, framesPerSecond: 40 };

/** One socket on an outbox: frames in, actions out. Knows no socket, no clock and no Yjs document. */
export class OutboxSession {
  readonly #allowance: FrameAllowance;
  #ended = false;

  constructor(options: { readonly now: number; readonly rate?: FrameRate }) {
    this.#allowance = new FrameAllowance(options.rate ?? OUTBOX_RATE, options.now);
  }

  /** Takes one binary frame; null stands for a text frame. After a close every frame is ignored. */
  receive(frame: Uint8Array | null, now: number): OutboxAction | null {
    if (this.#ended) return null;
    if (frame === null) return this.#close(CLOSE_CODES.malformed, 'text frames are not spoken here');
    if (frame.byteLength > FRAME_MAX_BYTES) {
      return { ...this.#close(CLOSE_CODES.quota, 'frame too large'), isHostile: true };
    }
    if (!this.#allowance.takes(now)) return this.#close(CLOSE_CODES.quota, 'too many frames');
    const message = readClientFrame(frame);
    switch (message.type) {
      case 'step-1':
        return { type: 'answer', stateVector: message.stateVector };
      case 'update':
        return { type: 'write', update: message.update };
      case 'clock':
        return { type: 'clock', deviceNowMs: message.deviceNowMs };
      case 'malformed':
        return this.#close(CLOSE_CODES.malformed, 'malformed frame');
      case 'subscribe':
      case 'presence':
      case 'ignored':
        return null;
    }
  }

  #close(code: CloseCode, reason: string): OutboxAction & { readonly type: 'close' } {
    this.#ended = true;
    return { type: 'close', code, reason, isHostile: false };
  }
}
