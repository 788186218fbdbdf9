import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INTENT_STATES, isTerminal } from '#shared/schemas/intent.ts';
import { INTENT_EVENTS, INTENT_TRANSITIONS, nextIntentState } from './intent-lifecycle.ts';

/** The diagram of the design, line by line. */
const DIAGRAM = {
  received: ['waiting', 'claimed', 'rejected', 'expired', 'cancelled', 'superseded', 'needs_confirmation'],
  waiting: ['claimed', 'rejected', 'expired', 'cancelled', 'superseded', 'needs_confirmation'],
  claimed: ['running', 'waiting', 'failed'],
  running: ['succeeded', 'failed', 'unknown'],
  succeeded: [],
  failed: [],
  unknown: [],
  rejected: [],
  expired: [],
  cancelled: [],
  superseded: [],
  needs_confirmation: [],
} as const;

describe('the life of an intent', () => {
  it.each(INTENT_STATES)('leads from %s exactly where the diagram says', (state) => {
    const reachable = new Set(Object.values(INTENT_TRANSITIONS[state]).filter((next) => next !== null));
    expect([...reachable].sort()).toEqual([...DIAGRAM[state]].sort());
  });

  it('has no way out of a terminal state, and one out of every other', () => {
    for (const state of INTENT_STATES) {
      const leads = INTENT_EVENTS.some((event) => nextIntentState(state, event) !== null);
      expect(leads).toBe(!isTerminal(state));
    }
  });

  it('starts an effect at most once between two releases, and never after an end', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...INTENT_EVENTS), { maxLength: 60 }), (events) => {
        let state: (typeof INTENT_STATES)[number] = 'received';
        let starts = 0;
        let ends = 0;
        for (const event of events) {
          const next = nextIntentState(state, event);
          if (next === null) continue;
          expect(isTerminal(state)).toBe(false);
          if (next === 'running') starts += 1;
          if (isTerminal(next)) ends += 1;
          state = next;
        }
        // Nothing leads back from `running` to before it, so the effect is begun once.
        expect(starts).toBeLessThanOrEqual(1);
        expect(ends).toBe(isTerminal(state) ? 1 : 0);
      }),
    );
  });
});
