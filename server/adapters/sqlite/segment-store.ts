import { must } from '#shared/lib/assert.ts';
import { segmentKind } from '#shared/schemas/segment.ts';
import { joinRanges, seqsOf } from '../../domain/segment-policy.ts';
import type { OpenPlace, SegmentStore, SeqRange, StoredSegment } from '../../domain/store-ports.ts';
import type { Connection } from './connection.ts';
import { findHostRef } from './host-ref.ts';

interface SegmentRow {
  id: number;
  kind: string;
  key: string;
  rows: number;
  bytes: number;
  hash: string;
  from_at: number;
  to_at: number;
  first_hour: number;
  last_hour: number;
  stale: number;
}

interface TotalsRow {
  segments: number;
  bytes: number;
  lastHour: number | null;
  rows: number;
}

const HOUR_MS = 3_600_000;

/** Values of `seq_range.place` that are no segment. */
const PLACE: Record<OpenPlace | 'expired' | 'unlisted' | 'spent', number> = {
  tail: 0,
  waiting: -1,
  expired: -2,
  unlisted: -3,
  spent: -4,
};

const LIST = `SELECT id, kind, key, rows, bytes, hash, from_at, to_at, first_hour, last_hour, stale FROM segment
  WHERE retired_at IS NULL`;
const TOTALS = `SELECT count(*) AS segments, coalesce(sum(bytes), 0) AS bytes, max(last_hour) AS lastHour,
  coalesce(sum(rows), 0) AS rows FROM segment WHERE retired_at IS NULL`;
const UNSEALED_ROWS = `SELECT coalesce(sum(to_seq - from_seq + 1), 0) AS rows FROM seq_range WHERE place IN (?, ?, ?)`;
const INSERT_SEGMENT = `INSERT INTO segment (kind, key, rows, bytes, hash, from_at, to_at, first_hour, last_hour)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`;
const INSERT_BLOB = 'INSERT INTO blob (hash, bytes) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING';
const DROP_SEGMENTS = 'DELETE FROM segment WHERE retired_at < ? RETURNING hash';
const DROP_BLOB =
  'DELETE FROM blob WHERE hash = ? AND NOT EXISTS (SELECT 1 FROM segment WHERE segment.hash = blob.hash)';
const RANGES = `SELECT from_seq AS fromSeq, to_seq AS toSeq, hour FROM seq_range`;
const LISTED_RANGES = `SELECT from_seq AS fromSeq, to_seq AS toSeq, hour, place FROM seq_range
  WHERE place > 0 ORDER BY place, from_seq`;
const HAS_LATER = 'SELECT 1 FROM seq_range WHERE kind = ? AND from_seq > ? LIMIT 1';
const SPEND_RANGE = 'UPDATE seq_range SET place = ? WHERE kind = ? AND from_seq = ? AND to_seq = ?';
const LAST_RANGE = `SELECT from_seq AS fromSeq, to_seq AS toSeq, hour, place FROM seq_range
  WHERE kind = ? AND from_seq < ? ORDER BY from_seq DESC LIMIT 1`;
const SET_END = 'UPDATE seq_range SET to_seq = ? WHERE kind = ? AND from_seq = ?';
const INSERT_RANGE = 'INSERT INTO seq_range (kind, from_seq, to_seq, hour, place) VALUES (?, ?, ?, ?, ?)';
const DELETE_RANGE = 'DELETE FROM seq_range WHERE kind = ? AND from_seq = ? AND to_seq = ?';
const MARK_STALE = `UPDATE segment SET stale = 1 WHERE id IN (
  SELECT (SELECT place FROM seq_range WHERE kind = 'activity' AND from_seq <= a.seq ORDER BY from_seq DESC LIMIT 1)
    FROM activity a WHERE a.host_no = ?
  UNION
  SELECT (SELECT place FROM seq_range WHERE kind = 'activity' AND from_seq <= g.seq ORDER BY from_seq DESC LIMIT 1)
    FROM gap g WHERE g.host_no = ?
  UNION
  SELECT (SELECT place FROM seq_range WHERE kind = 'model-events' AND from_seq <= e.seq ORDER BY from_seq DESC LIMIT 1)
    FROM model_event e WHERE e.host_no = ?
  UNION
  SELECT (SELECT place FROM seq_range WHERE kind = 'perf-5m' AND from_seq <= r.seq ORDER BY from_seq DESC LIMIT 1)
    FROM perf_rollup r WHERE r.host_no = ?)`;
const MARK_ROW_STALE = `UPDATE segment SET stale = 1 WHERE id = (
  SELECT place FROM seq_range WHERE kind = ? AND from_seq <= ? ORDER BY from_seq DESC LIMIT 1)`;

/** Segments and places in SQLite. Calls run inside the caller's transaction. */
export function createSegmentStore(connection: Connection): SegmentStore {
  const rangesIn = (kind: string, place: number): SeqRange[] =>
    connection
      .statement<SeqRange>(`${RANGES} WHERE kind = ? AND place = ? ORDER BY from_seq`)
      .all(kind, place);
  /** Takes ranges out of where they are, splitting larger ones, and puts them joined into another place. */
  const move = (kind: string, ranges: readonly SeqRange[], place: number): void => {
    const insert = connection.statement(INSERT_RANGE);
    for (const { fromSeq, toSeq } of ranges) {
      const held = connection.statement<SeqRange & { place: number }>(LAST_RANGE).get(kind, fromSeq + 1);
      if (!held || held.toSeq < toSeq)
        throw new Error(`${kind} rows ${fromSeq}..${toSeq} are in no one range`);
      connection.statement(DELETE_RANGE).run(kind, held.fromSeq, held.toSeq);
      if (held.fromSeq < fromSeq) insert.run(kind, held.fromSeq, fromSeq - 1, held.hour, held.place);
      if (held.toSeq > toSeq) insert.run(kind, toSeq + 1, held.toSeq, held.hour, held.place);
    }
    for (const { fromSeq, toSeq, hour } of joinRanges(ranges)) insert.run(kind, fromSeq, toSeq, hour, place);
  };
  const rangesOf = (segmentId: number): SeqRange[] =>
    connection.statement<SeqRange>(`${RANGES} WHERE place = ? ORDER BY from_seq`).all(segmentId);

  return {
    list(kind) {
      const rows =
        kind === undefined
          ? connection.statement<SegmentRow>(`${LIST} ORDER BY first_hour, id`).all()
          : connection.statement<SegmentRow>(`${LIST} AND kind = ? ORDER BY first_hour, id`).all(kind);
      const ranges = Map.groupBy(
        connection.statement<SeqRange & { place: number }>(LISTED_RANGES).all(),
        ({ place }) => place,
      );
      return rows.map((row) => toStoredSegment(row, ranges.get(row.id) ?? []));
    },
    totals() {
      const sealed = must(connection.statement<TotalsRow>(TOTALS).get(), 'totals');
      const { tail, waiting, unlisted } = PLACE;
      const unsealed = connection.statement<{ rows: number }>(UNSEALED_ROWS).get(tail, waiting, unlisted);
      return {
        segments: sealed.segments,
        bytes: sealed.bytes,
        sealedTo: sealed.lastHour === null ? null : (sealed.lastHour + 1) * HOUR_MS,
        rows: sealed.rows + (unsealed?.rows ?? 0),
      };
    },
    blob: (hash) =>
      connection.statement<{ bytes: Buffer }>('SELECT bytes FROM blob WHERE hash = ?').get(hash)?.bytes ??
      null,
    insert({ entry, bytes, ranges }) {
      connection.statement(INSERT_BLOB).run(entry.hash, bytes);
      const hours = ranges.map(({ hour }) => hour);
      const { id } = must(
        connection
          .statement<{ id: number }>(INSERT_SEGMENT)
          .get(
            entry.kind,
            entry.key,
            entry.rows,
            entry.bytes,
            entry.hash,
            entry.from,
            entry.to,
            Math.min(...hours),
            Math.max(...hours),
          ),
        'the segment just inserted',
      );
      move(entry.kind, ranges, id);
    },
    retire(segmentId, now) {
      connection.statement('UPDATE segment SET retired_at = ? WHERE id = ?').run(now, segmentId);
    },
    dropRetired(before) {
      const dropped = connection.statement<{ hash: string }>(DROP_SEGMENTS).all(before);
      for (const { hash } of dropped) connection.statement(DROP_BLOB).run(hash);
    },
    place(kind, { fromSeq, toSeq, hour }, place) {
      const last = connection.statement<SeqRange & { place: number }>(LAST_RANGE).get(kind, fromSeq);
      if (last && last.toSeq === fromSeq - 1 && last.hour === hour && last.place === PLACE[place]) {
        connection.statement(SET_END).run(toSeq, kind, last.fromSeq);
      } else {
        connection.statement(INSERT_RANGE).run(kind, fromSeq, toSeq, hour, PLACE[place]);
      }
    },
    openRanges: (kind, place) => rangesIn(kind, PLACE[place]),
    rangesOf,
    expire(segmentId) {
      connection.statement('UPDATE seq_range SET place = ? WHERE place = ?').run(PLACE.expired, segmentId);
    },
    unlist(segmentId) {
      connection.statement('UPDATE seq_range SET place = ? WHERE place = ?').run(PLACE.unlisted, segmentId);
    },
    expireUnlisted: (kind, beforeHour) =>
      connection
        .statement('UPDATE seq_range SET place = ? WHERE place = ? AND kind = ? AND hour < ?')
        .run(PLACE.expired, PLACE.unlisted, kind, beforeHour).changes > 0,
    expireRanges: (kind, ranges) => move(kind, ranges, PLACE.expired),
    expiredRanges: (kind) => rangesIn(kind, PLACE.expired),
    dropExpired(kind, range) {
      // The newest numbers are kept even so: the next rows would be given them again, and devices tell rows by them.
      const hasLater = connection.statement(HAS_LATER).get(kind, range.fromSeq) !== undefined;
      if (hasLater) connection.statement(DELETE_RANGE).run(kind, range.fromSeq, range.toSeq);
      else connection.statement(SPEND_RANGE).run(PLACE.spent, kind, range.fromSeq, range.toSeq);
    },
    markStale(hostId) {
      const ref = findHostRef(connection, hostId);
      if (ref) connection.statement(MARK_STALE).run(ref.no, ref.no, ref.no, ref.no);
    },
    markStaleRows(kind, seqs) {
      for (const seq of seqs) connection.statement(MARK_ROW_STALE).run(kind, seq);
    },
  };
}

function toStoredSegment(row: SegmentRow, ranges: readonly SeqRange[]): StoredSegment {
  const seqs = seqsOf(ranges);
  return {
    id: row.id,
    entry: {
      kind: segmentKind.parse(row.kind),
      key: row.key,
      rows: row.rows,
      bytes: row.bytes,
      hash: row.hash,
      from: row.from_at,
      to: row.to_at,
      ...(seqs && { seqs }),
    },
    firstHour: row.first_hour,
    lastHour: row.last_hour,
    stale: row.stale === 1,
  };
}
