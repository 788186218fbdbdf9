import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { openStore } from '../adapters/sqlite/open-store.ts';
import { hashSecret } from '../services/credentials.ts';
import { temporaryDirectory } from '../testing/temporary-store.ts';

const LAUNCHER = join(import.meta.dirname, '..', '..', 'bin', 'drover.mjs');

async function drover(dataDir: string, ...args: string[]) {
  const child = spawn(process.execPath, [LAUNCHER, ...args, '--data-dir', dataDir], {
    cwd: dataDir,
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, error, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code: Number(code), out, error };
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
    expect(run).toMatchObject({ code: 0, error: '' });
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
    expect((await drover(dataDir, 'key', 'revoke', id)).code).toBe(0);
    const again = await drover(dataDir, 'key', 'revoke', id);
    expect(again.code).toBe(3);
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
    [['pair', '--colour', 'red'], '--colour'],
  ])('ends %j with exit code 2', async (args, problem) => {
    const { dataDir } = dataDirWithDatabase();
    const run = await drover(dataDir, ...args);
    expect(run).toMatchObject({ code: 2, out: '' });
    expect(run.error).toContain(problem);
  });

  it('ends with exit code 3 where no server ever ran, and makes nothing', async () => {
    const run = await drover(join(temporaryDirectory(), '.'), 'pair');
    expect(run).toMatchObject({ code: 3, out: '' });
    expect(run.error).toContain('start the server once');
  });

  it('says what is wrong and what to do', async () => {
    const { dataDir } = dataDirWithDatabase();
    const sound = await drover(dataDir, 'doctor', '--json');
    expect(sound.code).toBe(0);
    expect(JSON.parse(sound.out)).toMatchObject({
      status: 'ok',
      checks: [
        { name: 'node' },
        { name: 'config' },
        { name: 'data' },
        { name: 'store' },
        { name: 'hosts' },
        { name: 'secrets' },
      ],
    });
    writeFileSync(join(dataDir, 'secrets.json'), '{"hostKeys":{}}', { mode: 0o644 });
    writeFileSync(join(dataDir, 'drover.db'), 'this is no database, it only stands in its place'.repeat(100));
    const broken = await drover(dataDir, 'doctor');
    expect(broken.code).toBe(1);
    expect(broken.out).toContain('chmod 600');
    expect(broken.out).toMatch(/fail {2}store/);
  });

  it('explains itself', async () => {
    const dataDir = join(temporaryDirectory(), 'new');
    mkdirSync(dataDir);
    const run = await drover(dataDir, '--help');
    expect(run.code).toBe(0);
    expect(run.out).toContain('key create');
  });
});
