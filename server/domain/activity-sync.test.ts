import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ActivityGap, ActivityRequest, ActivityRow } from '#shared/schemas/activity.ts';
import { observedRow, observedRows, rowNames } from '../testing/observed-rows.ts';
import type { ActivityListing, ActivitySync } from './activity-held.ts';
import { observeListing, observeStreamRows, openActivitySync } from './activity-sync.ts';
import type { ActivityCursor, ObservedActivity } from './ports.ts';

const context = { hostId: 'marlin', now: 1_000_000 };
const nothingHeld: ActivityCursor = { idEpoch: 0, lastId: null, lastEndedAt: null, recent: [] };

function listing(rows: ObservedActivity[], options: Partial<ActivityListing> = {}): ActivityListing {
  return { rows, complete: true, afterId: null, firstId: 0, unwatched: false, ...options };
}

function holding(rows: ObservedActivity[], idEpoch = 0): ActivitySync {
  const last = rows.at(-1);
  return openActivitySync({
    idEpoch,
    lastId: last?.id ?? null,
    lastEndedAt: last?.endedAt ?? null,
    recent: rows,
  });
}

describe('a listing', () => {
  it('gives everything on first contact, and says nothing of what was before', () => {
    const outcome = observeListing(openActivitySync(nothingHeld), listing(observedRows(40, 42)), context);
    expect(rowNames(outcome.rows)).toEqual(['0/40', '0/41', '0/42']);
    expect(outcome.sync.lastId).toBe(42);
  });

  it('gives only what is new when it overlaps', () => {
    const outcome = observeListing(holding(observedRows(0, 5)), listing(observedRows(3, 7)), context);
    expect(rowNames(outcome.rows)).toEqual(['0/6', '0/7']);
  });

  it('writes a gap with the range and the times around it when the ring wrapped past the last row', () => {
    const outcome = observeListing(holding(observedRows(0, 5)), listing(observedRows(9, 10)), context);
    expect(rowNames(outcome.rows)).toEqual(['gap 0/6…8 ring_wrapped', '0/9', '0/10']);
    expect(outcome.rows[0]).toMatchObject({ from: 1_005, to: 1_009, endedAt: 1_009 });
  });

  it('has no gap when the oldest listed row follows the last one held', () => {
    expect(
      rowNames(observeListing(holding(observedRows(0, 5)), listing(observedRows(6, 7)), context).rows),
    ).toEqual(['0/6', '0/7']);
  });

  it('leaves a gap for what a backfill did not take', () => {
    const first = observeListing(
      openActivitySync(nothingHeld),
      listing(observedRows(90, 91), { complete: false }),
      context,
    );
    expect(rowNames(first.rows)).toEqual(['gap 0/?…89 backfill_limit', '0/90', '0/91']);
    const later = observeListing(
      holding(observedRows(0, 5)),
      listing(observedRows(90, 91), { complete: false }),
      context,
    );
    expect(rowNames(later.rows)).toEqual(['gap 0/6…89 backfill_limit', '0/90', '0/91']);
  });

  it('starts a new id epoch when known ids carry other requests', () => {
    const restarted = [observedRow(0, 9_000), observedRow(1, 9_001)];
    const outcome = observeListing(holding(observedRows(0, 5)), listing(restarted), context);
    expect(rowNames(outcome.rows)).toEqual(['1/0', '1/1']);
  });

  it('starts a new id epoch when the highest id is below the last one held', () => {
    const outcome = observeListing(
      holding(observedRows(4_000, 5_000)),
      listing([observedRow(0, 9_000)]),
      context,
    );
    expect(rowNames(outcome.rows)).toEqual(['1/0']);
  });

  it('starts a new id epoch when the host lists nothing any more, and writes it with the first row', () => {
    const empty = observeListing(holding(observedRows(0, 5)), listing([]), context);
    expect(empty.rows).toEqual([]);
    const next = observeStreamRows(empty.sync, [observedRow(0, 9_000)], context);
    expect(rowNames(next.rows)).toEqual(['1/0']);
  });

  it('does not double rows a restarted host kept', () => {
    const kept = observedRows(0, 2);
    const outcome = observeListing(
      holding(observedRows(0, 5)),
      listing([...kept, observedRow(3, 9_000)]),
      context,
    );
    expect(rowNames(outcome.rows)).toEqual(['1/3']);
  });

  it('says what may be lost when a host restarted unseen, once, with the first row after it', () => {
    const empty = observeListing(holding(observedRows(0, 5)), listing([], { unwatched: true }), context);
    const next = observeListing(empty.sync, listing([observedRow(0, 9_000)]), context);
    expect(rowNames(next.rows)).toEqual(['gap 0/6…? host_restarted', '1/0']);
    const after = observeListing(next.sync, listing([observedRow(0, 9_000), observedRow(1, 9_001)]), context);
    expect(rowNames(after.rows)).toEqual(['1/1']);
  });

  it('counts what wrapped away in the new epoch too', () => {
    const outcome = observeListing(
      holding(observedRows(4_000, 5_000)),
      listing([observedRow(7, 9_000)], { firstId: 1 }),
      context,
    );
    expect(rowNames(outcome.rows)).toEqual(['gap 1/1…6 ring_wrapped', '1/7']);
  });

  it('asks for everything before it calls a page after the last id a restart', () => {
    const page = observeListing(holding(observedRows(1, 5)), listing([], { afterId: 4 }), context);
    expect(page).toMatchObject({ needsListing: 'all', rows: [] });
    const all = observeListing(page.sync, listing(observedRows(1, 5)), context);
    expect(all.rows).toEqual([]);
    expect(all.sync.idEpoch).toBe(0);
  });
});

describe('rows on the stream', () => {
  it('are taken once, in order of id, however they come', () => {
    const outcome = observeStreamRows(
      holding(observedRows(0, 2)),
      [observedRow(4), observedRow(2), observedRow(3), observedRow(4)],
      context,
    );
    expect(rowNames(outcome.rows)).toEqual(['0/3', '0/4']);
    expect(outcome.needsListing).toBe('no');
  });

  it('that come late are taken late', () => {
    const ahead = observeStreamRows(holding(observedRows(0, 2)), [observedRow(5)], context);
    expect(ahead.needsListing).toBe('due');
    const late = observeStreamRows(ahead.sync, [observedRow(3), observedRow(4)], context);
    expect(rowNames(late.rows)).toEqual(['0/3', '0/4']);
    expect(late.needsListing).toBe('no');
  });

  it('that never came are found in the listing, or written as a gap', () => {
    const ahead = observeStreamRows(holding(observedRows(0, 2)), [observedRow(6)], context);
    const outcome = observeListing(ahead.sync, listing(observedRows(4, 6)), context);
    expect(rowNames(outcome.rows)).toEqual(['gap 0/3…3 ring_wrapped', '0/4', '0/5']);
  });

  it('ask for everything when a known id carries another request', () => {
    expect(
      observeStreamRows(holding(observedRows(0, 2)), [observedRow(1, 9_000)], context).needsListing,
    ).toBe('all');
  });
});

interface Action {
  readonly kind:
    | 'request'
    | 'deliver'
    | 'lose'
    | 'disconnect'
    | 'restart'
    | 'restartKeeping'
    | 'connect'
    | 'reopenStore';
  readonly count: number;
}

/** A host as the model sees it: a ring of rows, ids that count up, a stream that may lose, double and reorder. */
class ModelHost {
  ring: ObservedActivity[] = [];
  nextId = 0;
  clock = 1_000;
  readonly made = new Map<number, { readonly incarnation: number; readonly id: number }>();
  incarnation = 0;
  readonly capacity: number;
  constructor(capacity: number) {
    this.capacity = capacity;
  }
  request(): ObservedActivity {
    this.clock += 7;
    const made = observedRow(this.nextId, this.clock);
    this.made.set(this.clock, { incarnation: this.incarnation, id: this.nextId });
    this.nextId += 1;
    this.ring = [...this.ring, made].slice(-this.capacity);
    return made;
  }
  restart(keepRows: boolean): void {
    if (keepRows) return;
    this.ring = [];
    this.nextId = 0;
    this.incarnation += 1;
  }
}

describe('against a model host', () => {
  const action: fc.Arbitrary<Action> = fc.record({
    kind: fc.constantFrom<Action['kind'][]>(
      'request',
      'request',
      'request',
      'deliver',
      'deliver',
      'lose',
      'disconnect',
      'restart',
      'restartKeeping',
      'connect',
      'connect',
      'reopenStore',
    ),
    count: fc.integer({ min: 1, max: 7 }),
  });

  it('doubles no row, loses none the host still listed, and has a gap exactly where rows are missing', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), fc.boolean(), (actions, pages) => {
        const host = new ModelHost(5);
        const taken: ActivityRow[] = [];
        let sync = openActivitySync(nothingHeld);
        let onTheWire: ObservedActivity[] = [];
        let connected = false;
        let restartsSeenAt = 0;
        // Runs of the host that nothing on the wire tells apart count as one.
        const runOf = new Map([[0, 0]]);

        const take = (outcome: ReturnType<typeof observeListing>) => {
          // The store knows a gap by its epoch, range and end, and takes it once.
          for (const item of outcome.rows) {
            const known = taken.some(
              (held) =>
                held.type === 'gap' &&
                item.type === 'gap' &&
                held.idEpoch === item.idEpoch &&
                held.fromId === item.fromId &&
                held.toId === item.toId &&
                held.endedAt === item.endedAt,
            );
            if (!known) taken.push(item);
          }
          sync = outcome.sync;
          return outcome.needsListing;
        };
        const list = () => {
          const unwatched = host.incarnation !== restartsSeenAt;
          const newest = host.ring.at(-1);
          const told =
            !newest ||
            newest.id < (sync.lastId ?? 0) ||
            host.ring.some((item) => sync.recent.some((held) => held.id === item.id));
          if (!runOf.has(host.incarnation)) {
            runOf.set(host.incarnation, told ? host.incarnation : (runOf.get(restartsSeenAt) ?? 0));
          }
          restartsSeenAt = host.incarnation;
          const afterId = pages && sync.lastId !== null ? sync.lastId - 1 : null;
          const shown = host.ring.filter((item) => item.id > (afterId ?? -1));
          const all = () => take(observeListing(sync, listing(host.ring, { unwatched }), context));
          const first = take(observeListing(sync, listing(shown, { afterId, unwatched }), context));
          expect(first === 'all' ? all() : first).toBe('no');
        };
        const steps: Record<Action['kind'], (count: number) => void> = {
          request: (count) => {
            for (let made = 0; made < count; made += 1) {
              const item = host.request();
              if (connected) onTheWire.push(item);
            }
          },
          deliver: (count) => {
            if (!connected || pages) return;
            // The newest first and one of them twice: order and number mean nothing on the stream.
            const batch = onTheWire.splice(0, count).toReversed();
            const needed = take(observeStreamRows(sync, [...batch, ...batch.slice(0, 1)], context));
            if (needed !== 'no' && onTheWire.length === 0) list();
          },
          lose: (count) => void onTheWire.splice(0, count),
          disconnect: () => {
            connected = false;
            onTheWire = [];
          },
          restart: () => {
            host.restart(false);
            connected = false;
            onTheWire = [];
          },
          restartKeeping: () => {
            host.restart(true);
            connected = false;
            onTheWire = [];
          },
          connect: () => {
            connected = true;
            onTheWire = [];
            list();
          },
          reopenStore: () => {
            // The very first ids of a host lost on the wire and a crash before the listing is one thing too many.
            if (sync.missing.some((hole) => hole.fromId < (sync.recent[0]?.id ?? 0))) list();
            // The collector restarts: what was in memory is gone, what was taken is read back.
            const requests = taken.filter((item): item is ActivityRequest => item.type === 'request');
            const idEpoch = Math.max(0, ...taken.map((item) => item.idEpoch));
            const own = requests.filter((item) => item.idEpoch === idEpoch).sort((a, b) => a.id - b.id);
            const last = own.at(-1);
            sync = openActivitySync({
              idEpoch,
              lastId: last?.id ?? null,
              lastEndedAt: last?.endedAt ?? null,
              recent: own.map(({ type: _type, hostId: _hostId, idEpoch: _idEpoch, ...rest }) => rest),
            });
            // So is a restart that was seen but had no row yet.
            const incarnations = requests.map((item) => host.made.get(item.endedAt)?.incarnation ?? 0);
            restartsSeenAt = Math.max(0, ...incarnations);
            for (const known of runOf.keys()) if (known > restartsSeenAt) runOf.delete(known);
            connected = false;
            onTheWire = [];
          },
        };
        for (const { kind, count } of actions) steps[kind](count);
        steps.connect(1);

        const requests = taken.filter((item): item is ActivityRequest => item.type === 'request');
        const gaps = taken.filter((item): item is ActivityGap => item.type === 'gap');
        // No row doubled: neither by identity nor by what it was.
        expect(new Set(requests.map((item) => `${item.idEpoch}/${item.id}`)).size).toBe(requests.length);
        expect(new Set(requests.map((item) => item.endedAt)).size).toBe(requests.length);
        // None lost that the host still lists.
        for (const listed of host.ring)
          expect(requests.some((item) => item.endedAt === listed.endedAt)).toBe(true);
        // Ids of one epoch are of one run of the host.
        const runs = new Map<number, number>();
        for (const item of requests) {
          const run = runOf.get(host.made.get(item.endedAt)?.incarnation ?? -1) ?? -1;
          expect(runs.get(item.idEpoch) ?? run).toBe(run);
          runs.set(item.idEpoch, run);
        }
        // Between the first and the last row of an epoch, every id is a row or lies in exactly one gap.
        for (const idEpoch of runs.keys()) {
          const ids = requests.filter((item) => item.idEpoch === idEpoch).map((item) => item.id);
          const known = gaps.filter(
            (gap) => gap.idEpoch === idEpoch && gap.toId !== null && gap.fromId !== null,
          );
          for (let id = Math.min(...ids); id <= Math.max(...ids); id += 1) {
            const inGaps = known.filter((gap) => (gap.fromId ?? 0) <= id && id <= (gap.toId ?? 0)).length;
            expect(inGaps + ids.filter((held) => held === id).length).toBe(1);
          }
        }
      }),
      { numRuns: 400 },
    );
  });
});
