import type { ModelEvent } from '#shared/schemas/model.ts';
import type { ModelEventStore, SeqRange } from '../../domain/store-ports.ts';
import type { Connection } from './connection.ts';
import { countRows } from './count-rows.ts';
import { ensureHostRef, findHostRef } from './host-ref.ts';

interface ModelEventRow {
  host_id: string;
  model_id: string;
  at: number;
  from_state: string | null;
  to_state: string;
  reason: string | null;
  lines: string | null;
}

const NEXT_SEQ = `SELECT 1 + max(
    ifnull((SELECT max(seq) FROM model_event), 0),
    ifnull((SELECT max(to_seq) FROM seq_range WHERE kind = 'model-events'), 0)) AS seq`;
const INSERT = `INSERT INTO model_event (seq, host_no, model_id, at, from_state, to_state, reason, received_at, lines)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const READ = `SELECT h.host_id, e.model_id, e.at, e.from_state, e.to_state, e.reason, e.lines
  FROM model_event e JOIN host_ref h ON h.no = e.host_no WHERE e.seq BETWEEN ? AND ? ORDER BY e.seq`;
const DELETE_SOME = `DELETE FROM model_event
  WHERE seq IN (SELECT seq FROM model_event WHERE seq BETWEEN ? AND ? LIMIT ?)`;

/** Transitions of models in SQLite. */
export function createModelEventStore(connection: Connection): ModelEventStore {
  return {
    insert(events, receivedAt) {
      if (events.length === 0) return null;
      const fromSeq = connection.statement<{ seq: number }>(NEXT_SEQ).get()?.seq ?? 1;
      const insert = connection.statement(INSERT);
      for (const [index, event] of events.entries()) {
        const { no } = ensureHostRef(connection, event.hostId);
        const { modelId, at, from, to, reason, lines = [] } = event;
        const text = lines.length === 0 ? null : lines.join('\n');
        insert.run(fromSeq + index, no, modelId, at, from, to, reason, receivedAt, text);
      }
      return { rows: events, fromSeq, toSeq: fromSeq + events.length - 1 };
    },
    read: (ranges) => readModelEvents(connection, ranges),
    count: (ranges) => countRows(connection, 'model_event', ranges),
    deleteSome: (range, limit) =>
      connection.statement(DELETE_SOME).run(range.fromSeq, range.toSeq, limit).changes,
    deleteHost(hostId) {
      const ref = findHostRef(connection, hostId);
      if (ref) connection.statement('DELETE FROM model_event WHERE host_no = ?').run(ref.no);
    },
  };
}

/** Events of some ranges in order of sequence number; also used by the thread that builds segments. */
export function readModelEvents(connection: Connection, ranges: readonly SeqRange[]): ModelEvent[] {
  const read = connection.statement<ModelEventRow>(READ);
  const ordered = ranges.toSorted((a, b) => a.fromSeq - b.fromSeq);
  return ordered.flatMap(({ fromSeq, toSeq }) => read.all(fromSeq, toSeq).map(toModelEvent));
}

function toModelEvent(row: ModelEventRow): ModelEvent {
  return {
    type: 'model-event',
    hostId: row.host_id,
    modelId: row.model_id,
    at: row.at,
    from: row.from_state,
    to: row.to_state,
    reason: row.reason,
    ...(row.lines !== null && { lines: row.lines.split('\n') }),
  };
}
