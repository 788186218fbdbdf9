import { z } from 'zod';
import { isTerminal, intentView } from '#shared/schemas/intent.ts';
import { intentRequest } from '#shared/schemas/intent-request.ts';
import type { IntentTransition, IntentView } from '#shared/schemas/intent.ts';
import type { IntentRequest } from '#shared/schemas/intent-request.ts';
import type { IntentStore, ReadableIntent, StoredCancel, StoredIntent } from '../../domain/intent-ports.ts';
import type { Lease } from '../../domain/lease-policy.ts';
import type { Connection } from './connection.ts';

interface IntentRow {
  seq: number;
  id: string;
  kind: string;
  state: string;
  code: string | null;
  reason: string | null;
  evidence: string | null;
  author_kind: string;
  author_id: string;
  author_label: string;
  created_at: number;
  received_at: number;
  expires_at: number;
  ended_at: number | null;
  request: string | null;
  shown: string;
  note: string | null;
}

interface LeaseRow {
  host_id: string;
  token: number;
  holder: string | null;
  purpose: string;
  since: number;
  ends_by: number;
  expires_at: number;
}

const INTENT = `SELECT seq, id, kind, state, code, reason, evidence, author_kind, author_id, author_label,
  created_at, received_at, expires_at, ended_at, request, shown, note FROM intent`;
const INSERT = `INSERT INTO intent (id, kind, host_id, state, code, reason, evidence, author_kind, author_id,
  author_label, created_at, received_at, expires_at, ended_at, request, shown)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
// Only from the state it should change from: whoever comes late changes nothing.
const CHANGE = `UPDATE intent SET state = ?, code = ?, reason = ?, evidence = ?, ended_at = ? WHERE id = ? AND state = ?`;
const DESCRIBE = 'UPDATE intent SET code = ?, reason = ?, evidence = ? WHERE id = ? AND ended_at IS NULL';
const SET_NOTE = 'UPDATE intent SET note = ? WHERE id = ?';
const STEPS = 'SELECT state, at, by FROM intent_transition WHERE intent_seq = ? ORDER BY step';
const ADD_STEP = `INSERT INTO intent_transition (intent_seq, step, state, at, by)
  SELECT seq, (SELECT count(*) FROM intent_transition WHERE intent_seq = intent.seq), ?, ?, ? FROM intent WHERE id = ?`;
const LEDGER = `SELECT id FROM intent WHERE ended_at IS NULL UNION ALL
  SELECT id FROM (SELECT id FROM intent WHERE ended_at IS NOT NULL ORDER BY ended_at DESC, seq DESC LIMIT ?)`;
const COUNTS = `SELECT count(*) FILTER (WHERE ended_at IS NULL) AS open,
  count(*) FILTER (WHERE ended_at IS NULL AND state = 'running') AS running,
  count(*) FILTER (WHERE ended_at IS NULL AND state IN ('received', 'waiting') AND expires_at < ?) AS overdue,
  count(*) FILTER (WHERE state = 'unknown' AND ended_at > ?) AS unknown FROM intent
  WHERE ended_at IS NULL OR ended_at > ?`;
const CANCEL = 'SELECT intent_id, identity_id, label, at FROM intent_cancel WHERE intent_id = ?';
const PUT_CANCEL = `INSERT INTO intent_cancel (intent_id, identity_id, label, at) VALUES (?, ?, ?, ?)
  ON CONFLICT (intent_id) DO NOTHING`;
const LEASE = 'SELECT host_id, token, holder, purpose, since, ends_by, expires_at FROM lease';
const PUT_LEASE = `INSERT INTO lease (host_id, token, holder, purpose, since, ends_by, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (host_id) DO UPDATE SET token = excluded.token, holder = excluded.holder, purpose = excluded.purpose,
    since = excluded.since, ends_by = excluded.ends_by, expires_at = excluded.expires_at`;

interface CountsRow {
  open: number;
  running: number;
  overdue: number;
  unknown: number;
}

const DAY_MS = 86_400_000;
/** They are expired within this time after their deadline. */
const LATE_MS = 10_000;

/** The part of a view that never changes and no query asks for. */
const shown = z.object({
  target: intentView.shape.target,
  params: intentView.shape.params,
  precondition: intentView.shape.precondition,
  confirm: intentView.shape.confirm,
  whenDown: intentView.shape.whenDown,
  supersedes: intentView.shape.supersedes,
});

/** Intents in their tables. Calls run inside the caller's transaction. */
export function createIntentStore(connection: Connection): IntentStore {
  const read = (row: IntentRow): StoredIntent => ({
    seq: row.seq,
    view: toView(row, connection.statement<IntentTransition>(STEPS).all(row.seq)),
    request: row.request === null ? null : readRequest(row.request),
  });
  const list = (where: string, ...values: (string | number)[]): StoredIntent[] =>
    connection
      .statement<IntentRow>(`${INTENT} ${where}`)
      .all(...values)
      .map(read);

  return {
    get: (id) => list('WHERE id = ?', id)[0] ?? null,
    open: (hostId) =>
      (hostId === undefined
        ? list('WHERE ended_at IS NULL ORDER BY seq')
        : list('WHERE ended_at IS NULL AND host_id = ? ORDER BY seq', hostId)
      ).filter((intent): intent is ReadableIntent => intent.request !== null),
    insert(view, request) {
      const { author, target, params, precondition, confirm, whenDown, supersedes } = view;
      connection
        .statement(INSERT)
        .run(
          view.id,
          view.kind,
          target.hostId,
          view.state,
          view.code,
          view.reason,
          view.evidence && JSON.stringify(view.evidence),
          author.kind,
          author.id,
          author.label,
          view.createdAt,
          view.receivedAt,
          view.expiresAt,
          view.endedAt,
          request && JSON.stringify(request),
          JSON.stringify({ target, params, precondition, confirm, whenDown, supersedes }),
        );
      for (const { state, at, by } of view.transitions) {
        connection.statement(ADD_STEP).run(state, at, by, view.id);
      }
    },
    change(id, { from, to, at, by, code, reason, evidence }) {
      const endedAt = isTerminal(to) ? at : null;
      const { changes } = connection
        .statement(CHANGE)
        .run(to, code, reason, evidence && JSON.stringify(evidence), endedAt, id, from);
      if (changes === 0) return false;
      connection.statement(ADD_STEP).run(to, at, by, id);
      return true;
    },
    describe: (id, { code, reason, evidence }) =>
      void connection.statement(DESCRIBE).run(code, reason, evidence && JSON.stringify(evidence), id),
    ledgerIds: (ended) =>
      connection
        .statement<{ id: string }>(LEDGER)
        .all(ended)
        .map(({ id }) => id),
    endedSince: (hostId, at) =>
      list('WHERE host_id = ? AND ended_at >= ? ORDER BY ended_at DESC LIMIT 20', hostId, at),
    counts(now) {
      const since = now - DAY_MS;
      const counts = connection.statement<CountsRow>(COUNTS).get(now - LATE_MS, since, since);
      return counts ?? { open: 0, running: 0, overdue: 0, unknown: 0 };
    },
    putCancel: ({ intentId, identityId, label, at }) =>
      void connection.statement(PUT_CANCEL).run(intentId, identityId, label, at),
    cancelOf(intentId) {
      const row = connection
        .statement<{ intent_id: string; identity_id: string; label: string; at: number }>(CANCEL)
        .get(intentId);
      return row ? toCancel(row) : null;
    },
    setNote: (id, note) => void connection.statement(SET_NOTE).run(JSON.stringify(note), id),
    lease(hostId) {
      const row = connection.statement<LeaseRow>(`${LEASE} WHERE host_id = ?`).get(hostId);
      return row ? toLease(row) : null;
    },
    heldLeases: () =>
      connection.statement<LeaseRow>(`${LEASE} WHERE holder IS NOT NULL ORDER BY host_id`).all().map(toLease),
    putLease: ({ hostId, token, holder, purpose, since, endsBy, expiresAt }) =>
      void connection.statement(PUT_LEASE).run(hostId, token, holder, purpose, since, endsBy, expiresAt),
  };
}

function toView(row: IntentRow, transitions: IntentTransition[]): IntentView {
  const evidence: unknown = row.evidence === null ? null : JSON.parse(row.evidence);
  return intentView.parse({
    ...shown.parse(JSON.parse(row.shown)),
    id: row.id,
    kind: row.kind,
    state: row.state,
    code: row.code,
    reason: row.reason,
    evidence,
    author: { kind: row.author_kind, id: row.author_id, label: row.author_label },
    createdAt: row.created_at,
    receivedAt: row.received_at,
    expiresAt: row.expires_at,
    endedAt: row.ended_at,
    transitions,
    ...(row.note === null ? {} : { note: JSON.parse(row.note) }),
  });
}

/** Null for a request of a kind that this version does not know any more. */
function readRequest(text: string): IntentRequest | null {
  const parsed = intentRequest.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : null;
}

function toCancel(row: { intent_id: string; identity_id: string; label: string; at: number }): StoredCancel {
  return { intentId: row.intent_id, identityId: row.identity_id, label: row.label, at: row.at };
}

function toLease(row: LeaseRow): Lease {
  return {
    hostId: row.host_id,
    token: row.token,
    holder: row.holder,
    purpose: row.purpose,
    since: row.since,
    endsBy: row.ends_by,
    expiresAt: row.expires_at,
  };
}
