import type { OutboxStore, OutboxTotals } from '../../domain/outbox-ports.ts';
import type { Quarantines } from '../../domain/outbox-policy.ts';
import type { Connection } from './connection.ts';

interface OutboxRow {
  epoch: number;
  floor: number;
  since: number;
  state: Buffer | null;
  vector: Buffer | null;
  records: number;
}

const GET = 'SELECT epoch, floor, since, state, vector, records FROM outbox WHERE owner_id = ?';
const START = 'SELECT epoch FROM outbox_start WHERE id = 1';
const EPOCH = `SELECT coalesce((SELECT epoch FROM outbox WHERE owner_id = ?), (SELECT epoch FROM outbox_start WHERE id = 1)) AS epoch`;
const PUT = `INSERT INTO outbox (owner_id, epoch, floor, since, state, vector, records)
  SELECT ?, epoch, epoch, ?, ?, ?, ? FROM outbox_start WHERE id = 1
  ON CONFLICT (owner_id) DO UPDATE SET state = excluded.state, vector = excluded.vector, records = excluded.records`;
const BEGIN = `INSERT INTO outbox (owner_id, epoch, floor, since)
  SELECT ?, ?, coalesce(?, epoch), ? FROM outbox_start WHERE id = 1
  ON CONFLICT (owner_id) DO UPDATE SET epoch = excluded.epoch, floor = coalesce(?, outbox.floor),
    since = excluded.since, state = NULL, vector = NULL, records = 0`;
const HELD = 'UPDATE outbox SET quarantines = ?, quarantined_at = ? WHERE owner_id = ?';
const QUARANTINES = `SELECT quarantines AS count, quarantined_at AS lastAt FROM outbox
  WHERE owner_id = ? AND quarantines > 0`;
const RESTART_AT = `SELECT max(?, (SELECT epoch FROM outbox_start WHERE id = 1) + 1,
  (SELECT coalesce(max(epoch), 0) FROM outbox) + 1) AS epoch`;
const RESTART = `UPDATE outbox SET epoch = ?, floor = ?, since = ?, state = NULL, vector = NULL, records = 0`;
const SET_START = 'UPDATE outbox_start SET epoch = ? WHERE id = 1';
const TOTALS = `SELECT count(*) FILTER (WHERE state IS NOT NULL) AS outboxes, coalesce(sum(records), 0) AS records,
  coalesce(sum(length(state)), 0) AS bytes, coalesce(max(length(state)), 0) AS largestBytes FROM outbox`;

/** Outboxes in their table. */
export function createOutboxStore(connection: Connection): OutboxStore {
  return {
    get(ownerId) {
      const row = connection.statement<OutboxRow>(GET).get(ownerId);
      if (row) return row;
      const epoch = connection.statement<{ epoch: number }>(START).get()?.epoch ?? 1;
      return { epoch, floor: epoch, since: null, state: null, vector: null, records: 0 };
    },
    epochOf: (ownerId) => connection.statement<{ epoch: number }>(EPOCH).get(ownerId)?.epoch ?? 1,
    put: (ownerId, { state, vector, records }, at) =>
      connection.transact(() => void connection.statement(PUT).run(ownerId, at, state, vector, records)),
    begin: (ownerId, { epoch, floor = null, quarantines }, at) =>
      connection.transact(() => {
        connection.statement(BEGIN).run(ownerId, epoch, floor, at, floor);
        if (!quarantines) return;
        connection.statement(HELD).run(quarantines.count, quarantines.lastAt, ownerId);
      }),
    quarantinesOf: (ownerId) => connection.statement<Quarantines>(QUARANTINES).get(ownerId) ?? null,
    restart: (least, at) =>
      connection.transact(() => {
        const epoch = connection.statement<{ epoch: number }>(RESTART_AT).get(least)?.epoch ?? least;
        connection.statement(RESTART).run(epoch, epoch, at);
        connection.statement(SET_START).run(epoch);
      }),
    remove: (ownerId) =>
      connection.transact(
        () => void connection.statement('DELETE FROM outbox WHERE owner_id = ?').run(ownerId),
      ),
    totals: () =>
      connection.statement<OutboxTotals>(TOTALS).get() ?? {
        outboxes: 0,
        records: 0,
        bytes: 0,
        largestBytes: 0,
      },
  };
}
