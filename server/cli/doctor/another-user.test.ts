import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { lockDataDir } from '../../adapters/sqlite/lock.ts';
import { temporaryDirectory } from '../../testing/temporary-store.ts';
import { runCli } from '../run-cli.ts';
import { lookForServer } from './look-for-server.ts';

// Tests may run as root, who may do anything: what the system says to others is played here, for drover.lock alone.
const refuses = vi.hoisted(() => ({ chmod: false, read: false }));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const guarded = <Args extends readonly unknown[], T>(
    what: 'chmod' | 'read',
    code: string,
    work: (...args: Args) => T,
  ) => {
    return (...args: Args): T => {
      if (refuses[what] && String(args[0]).endsWith('drover.lock'))
        throw Object.assign(new Error(`${code}: not permitted`), { code });
      return work(...args);
    };
  };
  return {
    ...fs,
    chmodSync: guarded('chmod', 'EPERM', fs.chmodSync),
    readFileSync: guarded('read', 'EACCES', fs.readFileSync),
  };
});

beforeEach(() => {
  refuses.chmod = false;
  refuses.read = false;
});

test('a server whose lock file belongs to another user starts, writes no key there, and doctor says so', async () => {
  const dataDir = temporaryDirectory();
  const lock = lockDataDir(join(dataDir, 'drover.lock'), 1);
  onTestFinished(() => lock.release());
  refuses.chmod = true;
  expect(lock.announce({ url: 'http://127.0.0.1:9', key: 'swordfish' })).toContain('EPERM');
  const found = await lookForServer({ dataDir, host: '127.0.0.1', port: 9 });
  expect(found).toEqual({
    facts: { kind: 'keyless', pid: process.pid, url: 'http://127.0.0.1:9' },
    checks: null,
  });
  lock.release();
  expect(readFileSync(join(dataDir, 'drover.lock'), 'latin1')).not.toContain('swordfish');
});

test('doctor as another user says whom to run it as, and takes no closed folder for an empty one', async () => {
  const dataDir = temporaryDirectory();
  refuses.read = true;
  const run = await runCli({ argv: ['doctor', '--data-dir', dataDir, '--port', '1'], env: {}, cwd: dataDir });
  expect(run).toMatchObject({ exitCode: 1, error: '' });
  expect(run.out).toMatch(/^Failed {3}Server: .*EACCES/);
  expect(run.out).toContain("Run it as the server's user");
  expect(run.out).not.toContain('no database yet');
});
