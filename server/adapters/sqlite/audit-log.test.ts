import { expect, test } from 'vitest';
import { AUDIT_ROOT, verifyAudit } from './audit-chain.ts';
import { COLLECTOR_ACTOR, type AuditEntry } from '../../domain/audit-log.ts';
import { temporaryStore } from '../../testing/temporary-store.ts';

function entry(action: string): AuditEntry {
  const actor = { kind: 'device', id: 'dev-1', label: 'Änne’s phone' } as const;
  return { at: 7, actor, action, target: 'dev-2', detail: { role: 'viewer', from: null, list: [1, 'a'] } };
}

function world(records: number) {
  const { audit, connection } = temporaryStore();
  for (let index = 0; index < records; index += 1) audit.append(entry(`a.${index}`));
  /** Does what no code of ours can: past the triggers, straight in the table. */
  const tamper = (sql: string): void => {
    connection.exec(`DROP TRIGGER audit_unchanged; DROP TRIGGER audit_kept; ${sql}`);
  };
  return { audit, connection, tamper };
}

test('records are kept in order, each with the hash of the one before', () => {
  const { audit } = world(0);
  expect(verifyAudit(audit)).toEqual({ ok: true, records: 0, head: AUDIT_ROOT, restores: [] });
  const first = audit.append(entry('device.rename'));
  const second = audit.append({ at: 8, actor: COLLECTOR_ACTOR, action: 'start', target: null, detail: null });
  expect(first).toMatchObject({ id: 1, prevHash: AUDIT_ROOT, ...entry('device.rename') });
  expect(second).toMatchObject({ id: 2, prevHash: first.hash });
  expect(audit.read({ afterId: 0, limit: 10 })).toEqual([first, second]);
  expect(audit.read({ afterId: 1, limit: 10 })).toEqual([second]);
  expect(verifyAudit(audit)).toEqual({ ok: true, records: 2, head: second.hash, restores: [] });
});

test('an entry is undone with the transaction it was written in, and leaves no hole', () => {
  const { audit, connection } = world(1);
  expect(() =>
    connection.transact(() => {
      audit.append(entry('lost'));
      throw new Error('undone');
    }),
  ).toThrow('undone');
  expect(audit.append(entry('kept')).id).toBe(2);
  expect(verifyAudit(audit)).toMatchObject({ ok: true, records: 2 });
});

test('a long log is walked to its end', () => {
  const { audit, connection } = world(0);
  connection.transact(() => {
    for (let index = 0; index < 2_100; index += 1) audit.append(entry(`a.${index}`));
  });
  expect(verifyAudit(audit)).toMatchObject({ ok: true, records: 2_100 });
});

test.each([
  ['a changed word', `UPDATE audit SET action = 'b' WHERE id = 3`, 3],
  ['a changed name', `UPDATE audit SET actor_label = 'Ben' WHERE id = 1`, 1],
  ['a changed detail', `UPDATE audit SET detail = '{"role":"admin"}' WHERE id = 2`, 2],
  ['a record taken out', 'DELETE FROM audit WHERE id = 2', 2],
  ['the first records taken out', 'DELETE FROM audit WHERE id < 3', 1],
  ['the last record cut off', 'DELETE FROM audit WHERE id = 4', 4],
  ['all records cut off', 'DELETE FROM audit', 1],
])('%s is found', (_name, sql, brokenAt) => {
  const { audit, tamper } = world(4);
  tamper(sql);
  expect(verifyAudit(audit)).toMatchObject({ ok: false, brokenAt });
});

test('no statement changes or deletes a record', () => {
  const { connection } = world(1);
  expect(() => connection.exec(`UPDATE audit SET action = 'b'`)).toThrow('only appended to');
  expect(() => connection.exec('DELETE FROM audit')).toThrow('only appended to');
});
