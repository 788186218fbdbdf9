import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { QueueWorld } from '../testing/queue-world.ts';
import type { QueueRow } from './queue-row.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', (task: () => void) => setTimeout(task, 0));
  vi.stubGlobal('cancelAnimationFrame', clearTimeout);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const tab = fc.integer({ min: 0, max: 1 });
const pick = fc.nat({ max: 1_000 });

/** Anything that may happen to two tabs of one browser, in any order; `pick` chooses among what was made so far. */
const event = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('queue' as const),
      tab,
      ttlMs: fc.constantFrom(undefined, 60_000, 3_600_000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), tab, pick }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('change-expiry' as const),
      tab,
      pick,
      laterMs: fc.constantFrom(30_000, 1_800_000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('crash' as const), tab }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('network' as const), tab, isUp: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('storage' as const), isFull: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('claim' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('decide' as const), tab, send: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      forMs: fc.constantFrom(0, 0, 1, 4_000, 70_000, 301_000),
    }),
  },
);
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;

async function happen(world: QueueWorld, what: Event): Promise<void> {
  switch (what.do) {
    case 'queue':
      return world.queue(what.tab, what.ttlMs);
    case 'cancel':
      return world.act((id, desk) => desk.cancel(id), what);
    case 'change-expiry':
      return world.changeExpiry(what, Date.now() + what.laterMs);
    case 'crash':
      return world.crash(what.tab);
    case 'network':
      return world.setNetwork(what.tab, what.isUp);
    case 'storage':
      return world.setStorage(what.isFull);
    case 'claim':
      return world.claim(what.pick);
    case 'decide':
      return world.decide(what.tab, what.send);
    case 'wait':
      await vi.advanceTimersByTimeAsync(what.forMs);
  }
}

/** Everything works again, and somebody says "send" to whatever waits. */
async function calmDown(world: QueueWorld): Promise<void> {
  world.setStorage(false);
  for (const index of [0, 1]) world.setNetwork(index, true);
  for (let round = 0; round < 4; round += 1) {
    await vi.advanceTimersByTimeAsync(10_000);
    world.decide(0, true);
  }
  await vi.advanceTimersByTimeAsync(10_000);
}

/** What would be a lie or a loss, in words. */
function faultsOf(
  world: QueueWorld,
  rows: ReadonlyMap<string, QueueRow>,
  events: readonly Event[],
): readonly string[] {
  // A full disk and a crash together may make a device forget that something had left; the ledger sets it right.
  const wasFull = events.some((what) => what.do === 'storage' && what.isFull);
  const faults: string[] = [];
  for (const [id, { unsaved }] of world.made) {
    const row = rows.get(id);
    if (row === undefined) {
      // What could not be stored may be lost with its page, and was said to be.
      if (!unsaved) faults.push(`${id} was stored and is lost`);
      continue;
    }
    // What the ledger has is shown as the ledger has it.
    const isHere = row.view === null && (row.state === 'dropped' || row.state === 'expired-here');
    if (isHere && row.record !== null && world.arrived.has(id))
      faults.push(`${id} is ${row.state}, and arrived`);
    if (!isHere && !world.arrived.has(id)) faults.push(`${id} never arrived`);
  }
  for (const [id, records] of world.arrived) if (records.size !== 1) faults.push(`${id} was changed`);
  for (const [older, newer] of world.replaced) {
    if (world.hasBegun(older) && world.hasBegun(newer)) faults.push(`${older} and ${newer} were both done`);
  }
  for (const id of world.takenBackHere) {
    if (!wasFull && world.hasBegun(id)) faults.push(`${id} was shown as dropped, and done`);
  }
  return faults;
}

test('whatever happens to two tabs, no action is lost, sent when void, or sent after it was taken back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 4, maxLength: 30 }), async (events) => {
      const world = new QueueWorld();
      for (const what of events) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other is what is tried
        await happen(world, what);
      }
      await calmDown(world);
      expect(faultsOf(world, await world.rows(), events)).toEqual([]);
      world.stop();
    }),
    { numRuns: 120 },
  );
});
