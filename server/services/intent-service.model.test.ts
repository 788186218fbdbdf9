import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isTerminal, type IntentView } from '#shared/schemas/intent.ts';
import { must } from '#shared/lib/assert.ts';
import { INTENT_TRANSITIONS } from '../domain/intent-lifecycle.ts';
import { HOST, IntentsSim, PEOPLE } from '../testing/intents-sim.ts';

const MODELS = ['coder', 'chat', 'tiny'];
const RUNS = Number(process.env['DROVER_SOAK_ROUNDS'] ?? 40);

/** One thing that happens. `what` picks among intents and models; the numbers are taken modulo what there is. */
const happening = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      kind: fc.constantFrom('model.load', 'model.unload'),
      model: fc.constantFrom(...MODELS),
      who: fc.nat(1),
      ttlMs: fc.constantFrom(2_000, 60_000, 300_000),
      whenDown: fc.constantFrom('reject', 'wait'),
      /** Null: over HTTP; else from a device whose clock is so far off. */
      offsetMs: fc.constantFrom(null, 0, 600_000, -600_000),
      supersedes: fc.boolean(),
      idle: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('repeat' as const), which: fc.nat(), who: fc.nat(1) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('cancel' as const), which: fc.nat(), who: fc.nat(1) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('work' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('crash' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('host' as const),
      liveness: fc.constantFrom('connected', 'down', 'reconnecting'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(500, 3_000, 61_000, 240_000),
    }),
  },
);

interface Sent {
  readonly request: Record<string, unknown> & { readonly id: string };
  readonly order: string;
  readonly who: number;
}

/** What holds at every moment, whatever happened before. */
function check(sim: IntentsSim, sent: readonly Sent[], ended: Map<string, IntentView>): void {
  for (const { request } of sent) {
    const view = sim.view(request.id);
    const states = view.transitions.map(({ state }) => state);
    expect(states[0]).toBe('received');
    for (const [index, state] of states.slice(1).entries()) {
      expect(Object.values(INTENT_TRANSITIONS[must(states[index], 'the state before')])).toContain(state);
    }
    expect(states.at(-1)).toBe(view.state);
    expect(states.filter(isTerminal).length).toBe(isTerminal(view.state) ? 1 : 0);
    expect(states.filter((state) => state === 'running').length).toBeLessThanOrEqual(1);
    expect(view).toEqual(ended.get(request.id) ?? view);
    if (isTerminal(view.state)) ended.set(request.id, view);
  }
  // At most one effect for each intent that ran, and none for one that did not.
  for (const order of new Set(sim.orders)) {
    const ran = sent.filter(
      (one) =>
        one.order === order && sim.view(one.request.id).transitions.some(({ state }) => state === 'running'),
    );
    expect(sim.orders.filter((one) => one === order).length).toBeLessThanOrEqual(ran.length);
  }
}

it('has at most one effect and exactly one end for every intent, whatever happens in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 3, maxLength: 25 }), async (happenings) => {
      const sim = new IntentsSim(MODELS);
      const sent: Sent[] = [];
      const ended = new Map<string, IntentView>();
      const person = (who: number) => must(PEOPLE[who], 'a person');
      try {
        for (const it of happenings) {
          const chosen = 'which' in it ? sent[it.which % Math.max(1, sent.length)] : undefined;
          switch (it.do) {
            case 'send': {
              const id = `00000000-0000-7000-8000-${String(sent.length).padStart(12, '0')}`;
              const request = {
                id,
                kind: it.kind,
                target: { hostId: HOST.id, modelId: it.model },
                ttlMs: it.ttlMs,
                whenDown: it.whenDown,
                ...(it.supersedes && sent.length > 0
                  ? { supersedes: must(sent.at(-1), 'one').request.id }
                  : {}),
                ...(it.idle ? { precondition: { inFlightMax: 0 } } : {}),
              };
              sent.push({ request, order: `${it.kind.slice('model.'.length)} ${it.model}`, who: it.who });
              if (it.offsetMs === null) sim.submit(request, person(it.who));
              else sim.receive(request, person(it.who), it.offsetMs);
              break;
            }
            case 'repeat':
              if (chosen) sim.submit(chosen.request, person(it.who));
              break;
            case 'cancel':
              if (chosen) sim.service.cancel(chosen.request.id, person(it.who));
              break;
            case 'work':
              sim.work();
              break;
            case 'crash':
              sim.crash();
              break;
            case 'host':
              sim.setLiveness(it.liveness);
              break;
            case 'wait':
              sim.clock.advance(it.ms);
              break;
          }
          await sim.settle();
          check(sim, sent, ended);
        }
        sim.setLiveness('connected');
        for (let turn = 0; turn < 12; turn += 1) {
          sim.work();
          await sim.settle();
          sim.clock.advance(turn < 9 ? 15_000 : 40 * 60_000);
          await sim.settle();
        }
        check(sim, sent, ended);
        // Nothing stays "working" for ever.
        expect(ended.size).toBe(sent.length);
      } finally {
        sim.close();
      }
    }),
    { numRuns: RUNS },
  );
}, 120_000);
