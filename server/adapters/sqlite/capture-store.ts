import { readJson } from '#shared/completion/fields.ts';
import { captureContent, type CaptureKey } from '#shared/schemas/capture.ts';
import { StoreError } from '../../domain/store-error.ts';
import {
  type CaptureContext,
  type CaptureStore,
  type CaptureTotals,
  MAX_LATER_ROWS,
} from '../../domain/captures/capture-ports.ts';
import { SELECT_REQUEST, toRequest, type RequestRow } from './activity-columns.ts';
import type { Connection } from './connection.ts';
import { ensureHostRef, findHostRef } from './host-ref.ts';

/** An opening is written down this long after the last one at the earliest: a reload is no reason for a commit. */
const TOUCH_MS = 60_000;
const RECENT_ROWS = 50;

const GET = 'SELECT fetched_at, opened_at, value FROM capture WHERE host_no = ? AND id_epoch = ? AND id = ?';
const TOUCH = 'UPDATE capture SET opened_at = ? WHERE host_no = ? AND id_epoch = ? AND id = ?';
const PUT = `INSERT OR REPLACE INTO capture (host_no, id_epoch, id, fetched_at, opened_at, bytes, value)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;
const TOTALS = 'SELECT count(*) AS count, ifnull(sum(bytes), 0) AS bytes FROM capture';
/** Everything that was opened before what still fits, newest first. */
const EVICT = `DELETE FROM capture WHERE rowid IN (SELECT rowid FROM
  (SELECT rowid, sum(bytes) OVER (ORDER BY opened_at DESC, rowid DESC) AS upto FROM capture) WHERE upto > ?)`;
const ORPHANS = `DELETE FROM capture WHERE NOT EXISTS (SELECT 1 FROM activity a
  WHERE a.host_no = capture.host_no AND a.id_epoch = capture.id_epoch AND a.id = capture.id)`;
const ROW = `${SELECT_REQUEST} WHERE a.host_no = ? AND a.id_epoch = ? AND a.id = ?`;
const NEWEST_EPOCH = `SELECT max(r.first_epoch,
    ifnull((SELECT max(id_epoch) FROM activity WHERE host_no = r.no), 0),
    ifnull((SELECT max(id_epoch) FROM gap WHERE host_no = r.no), 0)) AS epoch
  FROM host_ref r WHERE r.no = ?`;
const LATER = `SELECT count(*) AS count FROM
  (SELECT 1 FROM activity WHERE host_no = ? AND id_epoch = ? AND id > ? LIMIT ${MAX_LATER_ROWS})`;
const RECENT = `SELECT count(*) AS count, ifnull(sum(has_capture), 0) AS captures FROM
  (SELECT a.has_capture FROM activity a JOIN facet f ON f.id = a.facet_id
   WHERE a.host_no = ? AND a.id_epoch = ? AND (f.status IS NULL OR f.status < 400)
   ORDER BY a.id DESC LIMIT ${RECENT_ROWS})`;

interface CaptureRow {
  fetched_at: number;
  opened_at: number;
  value: string;
}

/** Captures in their table. */
export function createCaptureStore(connection: Connection): CaptureStore {
  return {
    open({ hostId, idEpoch, id }, now) {
      const ref = findHostRef(connection, hostId);
      const row = ref && connection.statement<CaptureRow>(GET).get(ref.no, idEpoch, id);
      if (!ref || !row) return null;
      if (now - row.opened_at >= TOUCH_MS) {
        try {
          connection.transact(() => void connection.statement(TOUCH).run(now, ref.no, idEpoch, id));
        } catch (error) {
          // A disk that takes no more still gives what is on it; it only is not known when this was opened last.
          if (!(error instanceof StoreError)) throw error;
        }
      }
      // One of an older shape is fetched again, where the host still has it.
      const content = captureContent.safeParse(readJson(row.value));
      return content.success ? { fetchedAt: row.fetched_at, content: content.data } : null;
    },
    put({ hostId, idEpoch, id }, { fetchedAt, content }, maxTotalBytes) {
      const value = JSON.stringify(content);
      connection.transact(() => {
        const { no } = ensureHostRef(connection, hostId);
        const bytes = Buffer.byteLength(value);
        connection.statement(PUT).run(no, idEpoch, id, fetchedAt, fetchedAt, bytes, value);
        connection.statement(EVICT).run(maxTotalBytes);
      });
    },
    row: (key) => readRow(connection, key)?.row ?? null,
    context: (key) => readContext(connection, key),
    totals: () => connection.statement<CaptureTotals>(TOTALS).get() ?? { count: 0, bytes: 0 },
    dropOrphans: () => void connection.statement(ORPHANS).run(),
    deleteHost(hostId) {
      const ref = findHostRef(connection, hostId);
      if (ref) connection.statement('DELETE FROM capture WHERE host_no = ?').run(ref.no);
    },
  };
}

function readRow(connection: Connection, { hostId, idEpoch, id }: CaptureKey) {
  const ref = findHostRef(connection, hostId);
  const row = ref && connection.statement<RequestRow>(ROW).get(ref.no, idEpoch, id);
  return ref && row ? { ref, row: toRequest(row) } : null;
}

function readContext(connection: Connection, key: CaptureKey): CaptureContext | null {
  const found = readRow(connection, key);
  if (found === null) return null;
  const { ref, row } = found;
  const { idEpoch, id } = key;
  const newest = connection.statement<{ epoch: number }>(NEWEST_EPOCH).get(ref.no);
  const later = connection.statement<{ count: number }>(LATER).get(ref.no, idEpoch, id);
  const recent = connection
    .statement<{ count: number; captures: number }>(RECENT)
    .get(ref.no, newest?.epoch ?? idEpoch);
  return {
    row,
    isCurrentEpoch: newest?.epoch === idEpoch,
    laterRows: later?.count ?? 0,
    recentRows: recent?.count ?? 0,
    recentCaptures: recent?.captures ?? 0,
  };
}
