import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { StoreError } from '../../domain/store-error.ts';
import { temporaryDirectory } from '../../testing/temporary-store.ts';
import { Connection } from './connection.ts';
import { MIGRATIONS, migrate, SchemaError } from './migrations.ts';

test('the writer uses WAL, full sync and foreign keys', () => {
  const connection = new Connection(join(temporaryDirectory(), 'x.db'));
  expect(connection.pragma('journal_mode')).toBe('wal');
  expect(connection.pragma('synchronous')).toBe(2);
  expect(connection.pragma('foreign_keys')).toBe(1);
  connection.close();
});

test('a transaction that throws keeps nothing and tells those who cached from it', () => {
  const connection = new Connection(join(temporaryDirectory(), 'x.db'));
  connection.exec('CREATE TABLE t (v INTEGER)');
  let undone = 0;
  connection.onRollback(() => (undone += 1));
  expect(() =>
    connection.transact(() => {
      connection.statement('INSERT INTO t VALUES (1)').run();
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(connection.statement<{ n: number }>('SELECT count(*) AS n FROM t').get()).toEqual({ n: 0 });
  expect(undone).toBe(1);
  connection.close();
});

test('another writer makes it busy, a full database makes it full, both with a remedy in words', () => {
  const path = join(temporaryDirectory(), 'x.db');
  const connection = new Connection(path, { busyTimeoutMs: 1 });
  connection.exec('CREATE TABLE t (v BLOB)');
  const other = new Database(path);
  other.exec('BEGIN IMMEDIATE');
  expect(() => connection.transact(() => undefined)).toThrow(expect.objectContaining({ failure: 'busy' }));
  other.exec('ROLLBACK');
  other.close();

  connection.pragma(`max_page_count = ${String(connection.pragma('page_count'))}`);
  const write = (): void =>
    connection.transact(() => {
      connection.statement('INSERT INTO t VALUES (?)').run(Buffer.alloc(100_000));
    });
  expect(write).toThrow(StoreError);
  expect(write).toThrow(/disk is full.*Free some space/i);
  connection.close();
});

test('migrations run once, are remembered, and refuse a newer or an edited schema', () => {
  const path = join(temporaryDirectory(), 'x.db');
  const connection = new Connection(path);
  const one = { name: 'one', sql: 'CREATE TABLE a (v INTEGER)' };
  const two = { name: 'two', sql: 'CREATE TABLE b (v INTEGER)' };
  migrate(connection, 1, [one]);
  migrate(connection, 2, [one, two]);
  migrate(connection, 3, [one, two]);
  const rows = connection.statement('SELECT version, applied_at FROM migration').all();
  expect(rows).toEqual([
    { version: 1, applied_at: 1 },
    { version: 2, applied_at: 2 },
  ]);
  expect(() => migrate(connection, 4, [one])).toThrow(/schema version 2, this Drover knows 1/);
  expect(() => migrate(connection, 4, [one, { ...two, sql: 'CREATE TABLE c (v)' }])).toThrow(SchemaError);
  connection.close();
});

test('a migration that fails leaves the schema as it was', () => {
  const connection = new Connection(join(temporaryDirectory(), 'x.db'));
  const one = { name: 'one', sql: 'CREATE TABLE a (v INTEGER)' };
  migrate(connection, 1, [one]);
  expect(() => migrate(connection, 2, [one, { name: 'bad', sql: 'CREATE TABLE b (v); NONSENSE' }])).toThrow(
    StoreError,
  );
  expect(connection.statement(`SELECT name FROM sqlite_master WHERE name = 'b'`).all()).toEqual([]);
  connection.close();
});

test('the end of a pause moves from its setting to the host it is of, if that is paused still', () => {
  const connection = new Connection(join(temporaryDirectory(), 'x.db'));
  const before = MIGRATIONS.findIndex(({ name }) => name === 'paused-until');
  migrate(connection, 1, MIGRATIONS.slice(0, before));
  connection.exec(`INSERT INTO host (host_id, position, label, url, paused, managed_by_file, demo, created_at)
    VALUES ('a', 1, 'A', 'http://a', 1, 0, 0, 1), ('b', 2, 'B', 'http://b', 0, 0, 0, 1), ('c', 3, 'C', 'http://c', 1, 0, 0, 1);
    INSERT INTO setting (name, value) VALUES ('host.a.paused-until', '1780000000000'),
    ('host.b.paused-until', '5'), ('other', 'kept')`);
  migrate(connection, 2);
  expect(connection.statement('SELECT host_id, paused_until FROM host ORDER BY host_id').all()).toEqual([
    { host_id: 'a', paused_until: 1_780_000_000_000 },
    { host_id: 'b', paused_until: null },
    { host_id: 'c', paused_until: null },
  ]);
  expect(connection.statement('SELECT name FROM setting').all()).toEqual([{ name: 'other' }]);
  connection.close();
});

test('the real migrations apply to an empty file', () => {
  const connection = new Connection(join(temporaryDirectory(), 'x.db'));
  migrate(connection, 1);
  expect(connection.statement('SELECT name FROM migration').all()).toHaveLength(MIGRATIONS.length);
  connection.close();
});
