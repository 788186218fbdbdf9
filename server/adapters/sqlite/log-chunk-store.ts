import type { LogChunkStore } from '../../domain/log-ports.ts';
import type { Connection } from './connection.ts';
import { ensureHostRef, findHostRef } from './host-ref.ts';

interface ChunkRow {
  seq: number;
  from_at: number;
  to_at: number;
  data: Uint8Array;
}

const INSERT = `INSERT INTO log_chunk (host_no, from_at, to_at, bytes, data) VALUES (?, ?, ?, ?, ?) RETURNING seq`;
const REPLACE = `UPDATE log_chunk SET from_at = ?, to_at = ?, bytes = ?, data = ? WHERE seq = ?`;
const BEFORE = `SELECT seq, from_at, to_at, data FROM log_chunk
  WHERE host_no = ? AND seq < ? AND from_at <= ? ORDER BY seq DESC LIMIT 1`;
const OLDEST = `SELECT seq, from_at AS fromAt, bytes FROM log_chunk WHERE host_no = ? ORDER BY seq LIMIT 1`;
const SIZES = `SELECT h.host_id AS hostId, sum(c.bytes) AS bytes FROM log_chunk c JOIN host_ref h ON h.no = c.host_no
  GROUP BY c.host_no`;

const DELETE_OLDEST = `DELETE FROM log_chunk WHERE seq IN (SELECT seq FROM log_chunk ORDER BY seq LIMIT ?)`;

/** Kept log lines in SQLite. */
export function createLogChunkStore(connection: Connection): LogChunkStore {
  const numberOf = (hostId: string): number => findHostRef(connection, hostId)?.no ?? -1;
  return {
    put(hostId, { seq, fromAt, toAt, data }) {
      if (seq !== null) {
        connection.statement(REPLACE).run(fromAt, toAt, data.byteLength, data, seq);
        return seq;
      }
      const { no } = ensureHostRef(connection, hostId);
      return (
        connection.statement<{ seq: number }>(INSERT).get(no, fromAt, toAt, data.byteLength, data)?.seq ?? 0
      );
    },
    newestBefore(hostId, { seq, at }) {
      const row = connection
        .statement<ChunkRow>(BEFORE)
        .get(numberOf(hostId), seq ?? Number.MAX_SAFE_INTEGER, at ?? Number.MAX_SAFE_INTEGER);
      return row ? { seq: row.seq, fromAt: row.from_at, toAt: row.to_at, data: row.data } : null;
    },
    oldest: (hostId) =>
      connection.statement<{ seq: number; fromAt: number; bytes: number }>(OLDEST).get(numberOf(hostId)) ??
      null,
    sizes: () =>
      new Map(
        connection
          .statement<{ hostId: string; bytes: number }>(SIZES)
          .all()
          .map(({ hostId, bytes }) => [hostId, bytes]),
      ),
    delete: (seq) => void connection.statement('DELETE FROM log_chunk WHERE seq = ?').run(seq),
    deleteHost: (hostId) =>
      void connection.statement('DELETE FROM log_chunk WHERE host_no = ?').run(numberOf(hostId)),
    hasAny: () => connection.statement('SELECT 1 FROM log_chunk LIMIT 1').get() !== undefined,
    deleteOldest: (count) => connection.statement(DELETE_OLDEST).run(count).changes,
  };
}
