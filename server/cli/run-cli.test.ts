import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../adapters/sqlite/open-store.ts';
import { hashSecret } from '../services/credentials.ts';
import { temporaryDirectory } from '../testing/temporary-store.ts';
import { runCli } from './run-cli.ts';

const LAUNCHER = join(import.meta.dirname, '..', '..', 'bin', 'drover.mjs');

/** Runs a command over this data directory. */
function drover(dataDir: string, ...args: string[]) {
  return runCli({ argv: [...args, '--data-dir', dataDir], env: {}, cwd: dataDir });
}

function dataDirWithDatabase(): { readonly dataDir: string; readonly path: string } {
  const dataDir = temporaryDirectory();
  const path = join(dataDir, 'drover.db');
  openStore(path, { now: 0 }).close();
  return { dataDir, path };
}

describe('drover', () => {
  it('makes a pairing link from beside the database', async () => {
    const { dataDir, path } = dataDirWithDatabase();
    const run = await drover(dataDir, 'pair', '--role', 'operator', '--json');
    expect(run).toMatchObject({ exitCode: 0, error: '' });
    const answer: unknown = JSON.parse(run.out);
    expect(answer).toEqual({
      code: expect.stringMatching(/^[A-Z2-9]{5}-[A-Z2-9]{5}$/),
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:9503\/#pair=[A-Z2-9-]+$/),
      expiresAt: expect.any(Number),
    });
    const code = new URL(run.out.match(/"url":"([^"]+)"/)?.[1] ?? '').hash.slice('#pair='.length);
    const store = openStore(path, { now: 0 });
    expect(store.access.code(hashSecret(code))).toMatchObject({
      kind: 'cli',
      role: 'operator',
      usedAt: null,
    });
    store.close();
  });

  it('makes, lists and revokes keys, and shows a key once only', async () => {
    const { dataDir } = dataDirWithDatabase();
    const made = await drover(dataDir, 'key', 'create', '--role', 'viewer', '--label', 'ci', '--json');
    const { id, key } = JSON.parse(made.out);
    expect(key).toMatch(/^drv_[\w-]{43}$/);
    const listed = await drover(dataDir, 'key', 'list', '--json');
    expect(JSON.parse(listed.out)).toMatchObject({
      keys: [{ id, label: 'ci', role: 'viewer', lastUsedAt: null }],
    });
    expect(listed.out).not.toContain(key);
    expect((await drover(dataDir, 'key', 'revoke', id)).exitCode).toBe(0);
    const again = await drover(dataDir, 'key', 'revoke', id);
    expect(again.exitCode).toBe(3);
    expect(again.error).toContain('revoked before');
    expect((await drover(dataDir, 'key', 'list')).out).toBe('There are no API keys.\n');
  });

  it.each([
    [['frobnicate'], 'unknown command'],
    [[], 'say a command'],
    [['pair', '--role', 'king'], '--role is'],
    [['pair', 'now'], 'usage: drover pair'],
    [['key', 'create', '--label', 'ci'], '--role is'],
    [['key', 'create', '--role', 'viewer'], '--label'],
    [['key'], 'usage: drover key'],
    [['audit', 'mend'], 'usage: drover audit verify'],
    [['audit', 'verify', '--head', 'short'], '--head is'],
    [['pair', '--colour', 'red'], '--colour'],
  ])('ends %j with exit code 2', async (args, problem) => {
    const { dataDir } = dataDirWithDatabase();
    const run = await drover(dataDir, ...args);
    expect(run).toMatchObject({ exitCode: 2, out: '' });
    expect(run.error).toContain(problem);
  });

  it('ends with exit code 3 where no server ever ran, and makes nothing', async () => {
    const run = await drover(join(temporaryDirectory(), '.'), 'pair');
    expect(run).toMatchObject({ exitCode: 3, out: '' });
    expect(run.error).toContain('start the server once');
  });

  it('tells whether the audit log is whole', async () => {
    const { dataDir, path } = dataDirWithDatabase();
    const store = openStore(path, { now: 0 });
    const actor = { kind: 'cli', id: '', label: 'command line' } as const;
    const { hash } = store.audit.append({ at: 1, actor, action: 'a', target: null, detail: null });
    const whole = await drover(dataDir, 'audit', 'verify', '--json');
    expect(whole.exitCode).toBe(0);
    expect(JSON.parse(whole.out)).toEqual({ ok: true, records: 1, head: hash, restores: [] });
    expect((await drover(dataDir, 'audit', 'verify', '--head', hash)).exitCode).toBe(0);
    const older = await drover(
      dataDir,
      'audit',
      'verify',
      '--head',
      hash.replace(/^./, (c) => (c === 'a' ? 'b' : 'a')),
    );
    expect(older.exitCode).toBe(1);
    expect(older.out).toContain('not in this log');
    store.connection.exec(`DROP TRIGGER audit_unchanged; UPDATE audit SET action = 'b'`);
    store.close();
    const broken = await drover(dataDir, 'audit', 'verify');
    expect(broken.exitCode).toBe(1);
    expect(broken.out).toContain('Record 1 was changed.');
  });

  it('is started by a launcher that hands on arguments, output and exit code', () => {
    const { dataDir } = dataDirWithDatabase();
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [LAUNCHER, ...args, '--data-dir', dataDir], {
        cwd: dataDir,
        encoding: 'utf8',
      });
    expect(run('key', 'list')).toMatchObject({ status: 0, stdout: 'There are no API keys.\n', stderr: '' });
    expect(run('frobnicate')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('unknown'),
    });
  });

  it('explains itself', async () => {
    const dataDir = join(temporaryDirectory(), 'new');
    mkdirSync(dataDir);
    const run = await drover(dataDir, '--help');
    expect(run.exitCode).toBe(0);
    expect(run.out).toContain('key create');
  });
});
