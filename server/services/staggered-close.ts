import type { CloseCode } from '#sync/close-codes.ts';
import type { Clock } from '../domain/ports.ts';

/** Clients that are closed in the same moment come back in the same moment: more turns than this spread them no better. */
const MAX_ROUNDS = 30;

/** Closes connections one after the other: the first ones at once, the rest over `overMs`. Resolves with the last. */
export async function closeStaggered(
  connections: readonly { close(code: CloseCode, reason: string): void }[],
  how: {
    readonly code: CloseCode;
    readonly reason: string;
    readonly overMs: number;
    readonly clock: Pick<Clock, 'after'>;
  },
): Promise<void> {
  const { code, reason, overMs, clock } = how;
  const rounds = Math.min(connections.length, MAX_ROUNDS);
  for (let round = 0; round < rounds; round += 1) {
    for (let index = round; index < connections.length; index += rounds)
      connections[index]?.close(code, reason);
    if (round < rounds - 1) await new Promise<void>((resolve) => void clock.after(overMs / rounds, resolve));
  }
}
