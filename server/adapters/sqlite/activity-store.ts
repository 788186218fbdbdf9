import type { ActivityGap, ActivityRequest, ActivityRow } from '#shared/schemas/activity.ts';
import { isMatched } from '#sync/source-certainty.ts';
import type { ActivityCursor } from '../../domain/ports.ts';
import type { ActivityStore, SeqRange } from '../../domain/store-ports.ts';
import { SELECT_GAP, SELECT_REQUEST, toGap, toRequest } from './activity-columns.ts';
import type { GapRow, RequestRow } from './activity-columns.ts';
import type { Connection } from './connection.ts';
import { FacetDictionary } from './facet-dictionary.ts';
import { countRows } from './count-rows.ts';
import { ensureHostRef, findHostRef } from './host-ref.ts';

/** How many of the newest rows a cursor shows for the overlap check. */
const CURSOR_ROWS = 1000;

const NEXT_SEQ = `SELECT 1 + max(
    ifnull((SELECT max(seq) FROM activity), 0),
    ifnull((SELECT max(seq) FROM gap), 0),
    ifnull((SELECT max(to_seq) FROM seq_range WHERE kind = 'activity'), 0)) AS seq`;
const INSERT_REQUEST = `INSERT INTO activity (seq, host_no, id_epoch, id, facet_id, ended_at, received_at, input_tokens,
    output_tokens, cached_tokens, prompt_per_second, tokens_per_second, duration_ms, has_capture,
    source_matched)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (host_no, id_epoch, id) DO NOTHING`;
const INSERT_GAP = `INSERT OR IGNORE INTO gap (seq, host_no, id_epoch, from_id, to_id, from_at, to_at, reason, received_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const ONE = `${SELECT_REQUEST} WHERE a.host_no = ? AND a.id_epoch = ? AND a.id = ?`;
const SET_SOURCE = 'UPDATE activity SET facet_id = ?, source_matched = 0 WHERE seq = ?';
const EPOCH = `SELECT max(ifnull((SELECT max(id_epoch) FROM activity WHERE host_no = ?), 0),
    ifnull((SELECT max(id_epoch) FROM gap WHERE host_no = ?), 0)) AS epoch`;
const RECENT = `${SELECT_REQUEST} WHERE a.host_no = ? AND a.id_epoch = ? ORDER BY a.id DESC LIMIT ${CURSOR_ROWS}`;
const NEWEST = `SELECT max(ended_at) AS endedAt FROM activity WHERE host_no = ? AND id_epoch = ?`;

/** Facets looked at in one step of pruning: a few milliseconds. */
const PRUNE_FACET_COUNT = 5000;
const PRUNE_STEP = `SELECT max(id) AS last
  FROM (SELECT id FROM facet WHERE id > ? ORDER BY id LIMIT ${PRUNE_FACET_COUNT})`;
const PRUNE_FACETS = `DELETE FROM facet WHERE id > ? AND id <= ? AND last_ended_at < ?
  AND NOT EXISTS (SELECT 1 FROM activity WHERE activity.facet_id = facet.id)`;

/** Activity in SQLite: requests and gaps with one sequence, facets beside them. */
export function createActivityStore(connection: Connection): ActivityStore {
  const facets = new FacetDictionary(connection);

  const insertRequest = (seq: number, row: ActivityRequest, receivedAt: number, spans: Spans): boolean => {
    const { no } = ensureHostRef(connection, row.hostId);
    const facetId = facets.idOf(no, row);
    const { changes } = connection
      .statement(INSERT_REQUEST)
      .run(
        seq,
        no,
        row.idEpoch,
        row.id,
        facetId,
        row.endedAt,
        receivedAt,
        row.inputTokens,
        row.outputTokens,
        row.cachedTokens,
        row.promptPerSecond,
        row.tokensPerSecond,
        row.durationMs,
        Number(row.hasCapture),
        Number(isMatched(row)),
      );
    if (changes === 0) return false;
    const span = spans.get(facetId);
    spans.set(facetId, {
      first: Math.min(span?.first ?? row.endedAt, row.endedAt),
      last: Math.max(span?.last ?? row.endedAt, row.endedAt),
    });
    return true;
  };

  const insertGap = (seq: number, row: ActivityGap, receivedAt: number): boolean => {
    const { no } = ensureHostRef(connection, row.hostId);
    const { changes } = connection
      .statement(INSERT_GAP)
      .run(seq, no, row.idEpoch, row.fromId, row.toId, row.from, row.to, row.reason, receivedAt);
    return changes > 0;
  };

  return {
    insert(rows, receivedAt) {
      const fromSeq = connection.statement<{ seq: number }>(NEXT_SEQ).get()?.seq ?? 1;
      const spans: Spans = new Map();
      const kept: ActivityRow[] = [];
      for (const row of rows) {
        const seq = fromSeq + kept.length;
        const inserted =
          row.type === 'request'
            ? insertRequest(seq, row, receivedAt, spans)
            : insertGap(seq, row, receivedAt);
        if (inserted) kept.push(row);
      }
      facets.widen(spans);
      return kept.length === 0 ? null : { rows: kept, fromSeq, toSeq: fromSeq + kept.length - 1 };
    },
    cursor: (hostId) => readCursor(connection, hostId),
    read: (ranges) => readActivity(connection, ranges),
    count: (ranges) => countRows(connection, 'activity', ranges) + countRows(connection, 'gap', ranges),
    nameSource({ hostId, idEpoch, id }, source) {
      const ref = findHostRef(connection, hostId);
      const found = ref && connection.statement<RequestRow>(ONE).get(ref.no, idEpoch, id);
      if (!ref || !found) return null;
      const row = toRequest(found);
      // What a host says of its own rows needs no second witness.
      if (row.sourceCertainty === 'exact') return null;
      const facetId = facets.idOf(ref.no, { ...row, source });
      connection.statement(SET_SOURCE).run(facetId, found.seq);
      facets.widen(new Map([[facetId, { first: row.endedAt, last: row.endedAt }]]));
      return found.seq;
    },
    deleteSome(range, limit) {
      const remove = (table: string, count: number): number =>
        connection
          .statement(
            `DELETE FROM ${table} WHERE seq IN (SELECT seq FROM ${table} WHERE seq BETWEEN ? AND ? LIMIT ?)`,
          )
          .run(range.fromSeq, range.toSeq, count).changes;
      const requests = remove('activity', limit);
      return requests + (requests < limit ? remove('gap', limit - requests) : 0);
    },
    deleteHost(hostId) {
      const ref = findHostRef(connection, hostId);
      if (!ref) return;
      connection.statement('DELETE FROM activity WHERE host_no = ?').run(ref.no);
      connection.statement('DELETE FROM gap WHERE host_no = ?').run(ref.no);
      connection.statement('DELETE FROM facet WHERE host_no = ?').run(ref.no);
      facets.clear();
    },
    pruneFacets(afterId, endedBefore) {
      const { last } = connection.statement<{ last: number | null }>(PRUNE_STEP).get(afterId) ?? {};
      if (last === null || last === undefined) return null;
      connection.statement(PRUNE_FACETS).run(afterId, last, endedBefore);
      facets.clear();
      return last;
    },
  };
}

type Spans = Map<number, { readonly first: number; readonly last: number }>;

/** Rows of some ranges in order of sequence number; also used by the thread that builds segments. */
export function readActivity(connection: Connection, ranges: readonly SeqRange[]): ActivityRow[] {
  const requests = connection.statement<RequestRow>(
    `${SELECT_REQUEST} WHERE a.seq BETWEEN ? AND ? ORDER BY a.seq`,
  );
  const gaps = connection.statement<GapRow>(`${SELECT_GAP} WHERE g.seq BETWEEN ? AND ? ORDER BY g.seq`);
  const rows: { readonly seq: number; readonly row: ActivityRow }[] = [];
  for (const { fromSeq, toSeq } of ranges) {
    for (const row of requests.all(fromSeq, toSeq)) rows.push({ seq: row.seq, row: toRequest(row) });
    for (const row of gaps.all(fromSeq, toSeq)) rows.push({ seq: row.seq, row: toGap(row) });
  }
  return rows.sort((a, b) => a.seq - b.seq).map(({ row }) => row);
}

function readCursor(connection: Connection, hostId: string): ActivityCursor {
  const ref = findHostRef(connection, hostId);
  if (!ref) return { idEpoch: 0, lastId: null, lastEndedAt: null, recent: [] };
  const newest = connection.statement<{ epoch: number }>(EPOCH).get(ref.no, ref.no)?.epoch ?? 0;
  const idEpoch = Math.max(ref.firstEpoch, newest);
  const recent = connection.statement<RequestRow>(RECENT).all(ref.no, idEpoch).toReversed().map(toRequest);
  return {
    idEpoch,
    lastId: recent.at(-1)?.id ?? null,
    lastEndedAt:
      connection.statement<{ endedAt: number | null }>(NEWEST).get(ref.no, idEpoch)?.endedAt ?? null,
    recent: recent.map(({ type: _type, hostId: _hostId, idEpoch: _idEpoch, ...observed }) => observed),
  };
}
