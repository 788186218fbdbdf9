import { useState } from 'react';
import type { LogLine } from '../../data/logs/log-board.ts';

/** The lines on screen, and how many came below them since. */
export interface HeldLines {
  readonly shown: readonly LogLine[];
  readonly waiting: number;
  readonly isHeld: boolean;
  /** Keep what is on screen: the reader has scrolled up. */
  readonly hold: () => void;
  /** Follow the newest line again. */
  readonly release: () => void;
}

/** Holds a log still while it is read; `viewKey` names what is shown, another view is another log. */
export function useHeldLines(lines: readonly LogLine[], viewKey: string): HeldLines {
  const [state, setState] = useState<{ readonly viewKey: string; readonly lines: readonly LogLine[] } | null>(
    null,
  );
  const held = state?.viewKey === viewKey ? state.lines : null;
  return {
    shown: held ?? lines,
    waiting: held === null ? 0 : newerLines(held, lines),
    isHeld: held !== null,
    hold: () => {
      if (held === null) setState({ viewKey, lines });
    },
    release: () => setState(null),
  };
}

/** How many of `lines` are newer than those held. */
export function newerLines(held: readonly LogLine[], lines: readonly LogLine[]): number {
  const last = held.at(-1)?.key ?? 0;
  let count = 0;
  while (count < lines.length && (lines[lines.length - 1 - count]?.key ?? 0) > last) count += 1;
  return count;
}
