import * as Y from 'yjs';
import type { SegmentEntry } from '#shared/schemas/segment.ts';
import { readFleet } from '#sync/fleet-doc.ts';
import { parseFleet } from '#sync/fleet-record.ts';
import { standIns } from '#sync/segment-cover.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { type BenchPart, type Reading, atMost, shown } from './budget.ts';
import { FLEET_HOSTS, ROWS_PER_DAY } from './fill-history.ts';
import { type OpenHistory, openHistory } from './open-history.ts';
import { syntheticTraffic } from './synthetic-traffic.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The run ends half an hour past an hour in the afternoon: a tail, a dozen hours, and whole days. */
const END = Date.UTC(2026, 10, 30, 14, 30);
/** How many rows a commit holds while the distant past is made; the last two hours have the real number. */
const ROWS_PER_FLUSH = 200;

interface Absence {
  readonly name: string;
  readonly awayMs: number;
  readonly limitKb: number | null;
}

const ABSENCES: readonly Absence[] = [
  { name: '1 h', awayMs: HOUR_MS, limitKb: 300 },
  { name: '24 h', awayMs: DAY_MS, limitKb: 1.9 * 1024 },
  { name: '7 d', awayMs: 7 * DAY_MS, limitKb: 12 * 1024 },
  { name: '1 h over midnight', awayMs: 0, limitKb: null },
];

/** A device as it was when it went away: its documents, and the segments they list. */
interface Device {
  readonly leftAt: number;
  readonly fleet: Y.Doc;
  readonly tail: Y.Doc;
}

/** What a device that was away must fetch: step 2 of both documents, and the segments it lacks. */
export const reconnectBench: BenchPart = {
  name: 'wire: reconnect',
  async run(scratch) {
    const clock = new ManualClock(END - 8 * DAY_MS);
    const history = openHistory(scratch.directory(), { clock, durable: false });
    try {
      history.addHosts(FLEET_HOSTS);
      const devices = new Map<Absence, Device>();
      const midnight = END - (END % DAY_MS);
      let overMidnight: { readonly device: Device; readonly missed: Missed } | null = null;
      const from = clock.now();
      const shape = { hosts: FLEET_HOSTS, rows: 8 * ROWS_PER_DAY, from, to: END };
      let beforeMidnight: Device | null = null;
      let due = [];
      for (const row of syntheticTraffic(shape)) {
        due.push(row);
        const isRecent = END - row.endedAt < 2 * HOUR_MS;
        if (due.length < (isRecent ? 1 : ROWS_PER_FLUSH)) continue;
        await advanceTo(history, clock, row.endedAt);
        for (const absence of ABSENCES) {
          const leaves = END - absence.awayMs;
          if (absence.awayMs > 0 && !devices.has(absence) && clock.now() >= leaves)
            devices.set(absence, copyOf(history, clock.now()));
        }
        if (!beforeMidnight && clock.now() >= midnight - HOUR_MS / 2)
          beforeMidnight = copyOf(history, clock.now());
        if (beforeMidnight && !overMidnight && clock.now() >= midnight + HOUR_MS / 2)
          overMidnight = { device: beforeMidnight, missed: missedBy(history, beforeMidnight) };
        history.record(due, true);
        due = [];
      }
      history.record(due, true);
      await history.sealer.settled();
      return ABSENCES.map((absence) => {
        const device = devices.get(absence);
        const missed = device ? missedBy(history, device) : overMidnight?.missed;
        if (!missed) throw new Error(`no device went away for ${absence.name}`);
        return readingOf(absence, missed);
      });
    } finally {
      await history.close();
    }
  },
};

interface Missed {
  readonly fleetBytes: number;
  readonly tailBytes: number;
  readonly segments: number;
  readonly segmentBytes: number;
  /** Not fetched, because the device has every row in other segments: hours that were merged into a day meanwhile. */
  readonly knownBytes: number;
}

/** Moves time on in steps that a timer of the product would notice, and lets seals finish. */
async function advanceTo(history: OpenHistory, clock: ManualClock, at: number): Promise<void> {
  if (at <= clock.now()) return;
  const crossesHour = Math.floor(at / HOUR_MS) !== Math.floor(clock.now() / HOUR_MS);
  clock.advance(at - clock.now());
  if (!crossesHour) return;
  clock.advance(100);
  await history.sealer.settled();
}

function copyOf(history: OpenHistory, leftAt: number): Device {
  const { fleet, tail } = history.docHost.names();
  const copy = (name: string): Y.Doc => {
    const document = history.docHost.open(name);
    if (!document) throw new Error('the store failed');
    const doc = new Y.Doc();
    Y.applyUpdate(doc, Y.encodeStateAsUpdate(document.doc));
    return doc;
  };
  return { leftAt, fleet: copy(fleet), tail: copy(tail) };
}

function missedBy(history: OpenHistory, device: Device): Missed {
  const now = copyOf(history, device.leftAt);
  const step2 = (kind: 'fleet' | 'tail'): Uint8Array =>
    Y.encodeStateAsUpdate(now[kind], Y.encodeStateVector(device[kind]));
  const held = [...parseFleet(readFleet(device.fleet)).segments.values()];
  const hashes = new Set(held.map(({ hash }) => hash));
  const listed = [...parseFleet(readFleet(now.fleet)).segments.values()];
  const others = listed.filter(({ hash }) => !hashes.has(hash));
  const lacks = others.filter((entry) => standIns(entry, held) === null);
  return {
    fleetBytes: step2('fleet').byteLength,
    tailBytes: step2('tail').byteLength,
    segments: lacks.length,
    segmentBytes: bytesOf(lacks),
    knownBytes: bytesOf(others) - bytesOf(lacks),
  };
}

function bytesOf(segments: readonly SegmentEntry[]): number {
  return segments.reduce((sum, { bytes }) => sum + bytes, 0);
}

function readingOf({ name, limitKb }: Absence, missed: Missed): Reading {
  const { fleetBytes, tailBytes, segments, segmentBytes, knownBytes } = missed;
  const kilobytes = (fleetBytes + tailBytes + segmentBytes) / 1024;
  const kb = (bytes: number): string => `${(bytes / 1024).toFixed(0)} KB`;
  const note = `fleet ${kb(fleetBytes)}, tail ${kb(tailBytes)}, ${segments} segments ${kb(segmentBytes)}, not ${kb(knownBytes)} of rows it had, merged anew; ${ROWS_PER_DAY} rows a day`;
  return limitKb === null
    ? shown(`reconnect after ${name}`, 'KB', kilobytes, note)
    : atMost(`reconnect after ${name}`, limitKb, 'KB', kilobytes, note);
}
