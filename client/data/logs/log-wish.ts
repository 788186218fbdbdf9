import type { LogWish } from '#shared/schemas/live.ts';
import { createCell } from '../cell.ts';

/** Whose log lines the page shows; null: nobody's. The collector sends them while it is set and the socket stands. */
export const logWishCell = createCell<LogWish | null>(null);

let take: (body: Uint8Array) => void = () => undefined;

/** Takes log frames as they come, unread: what reads them is loaded with the page that shows them. */
export function takeLogFrames(taker: (body: Uint8Array) => void): void {
  take = taker;
}

/** Gives a log frame to whoever takes them. */
export function giveLogFrame(body: Uint8Array): void {
  take(body);
}
