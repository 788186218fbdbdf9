import { createServer } from 'node:net';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { healthCheck, type HealthCheck } from '#shared/schemas/info.ts';
import { openStore } from '../../adapters/sqlite/open-store.ts';
import { startServer } from '../../testing/processes.ts';
import { temporaryDirectory } from '../../testing/temporary-store.ts';
import { runCli } from '../run-cli.ts';

const report = z.object({
  status: z.enum(['ok', 'degraded', 'failed']),
  checkedAt: z.number(),
  checks: z.array(healthCheck),
});

async function doctor(dataDir: string, ...args: string[]) {
  const run = await runCli({
    argv: ['doctor', '--json', '--data-dir', dataDir, ...args],
    env: {},
    cwd: dataDir,
  });
  expect(run.error).toBe('');
  const { status, checks } = report.parse(JSON.parse(run.out));
  const named = (name: string): HealthCheck | undefined => checks.find((check) => check.name === name);
  return { exitCode: run.exitCode, status, checks, named };
}

function dataDirWithDatabase(): string {
  const dataDir = temporaryDirectory();
  openStore(join(dataDir, 'drover.db'), { now: 0 }).close();
  return dataDir;
}

/** Ages move between two looks. */
const withoutAges = ({ detail, ...check }: HealthCheck) => ({
  ...check,
  detail: detail.replaceAll(/\b\d[\d,.]* (?:s|min|KB|MB|GB)\b|attempt \d+|just now| ago/g, ''),
});

describe('doctor beside a server that runs', () => {
  it('says the same as the page, word for word, and that the server answers', async () => {
    const dataDir = temporaryDirectory();
    const server = await startServer({ dataDir, env: { DROVER_PAIRING_CODE: 'doctor-parity' } });
    onTestFinished(() => server.kill('SIGKILL'));
    const paired = await fetch(`${server.url}/api/pair`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: 'doctor-parity', label: 'a page' }),
    });
    const cookie = paired.headers.get('set-cookie')?.split(';')[0] ?? '';
    const added = await fetch(`${server.url}/api/hosts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ id: 'kestrel', label: 'kestrel', url: 'http://127.0.0.1:1' }),
    });
    expect(added.status).toBe(201);
    const own = ['server', 'database'];
    const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);
    const words = (checks: readonly HealthCheck[]) => checks.map((check) => withoutAges(check)).sort(byName);
    // The host goes from state to state meanwhile: both looks have to fall into one.
    const { page, beside } = await vi.waitFor(
      async () => {
        const answer = await fetch(`${server.url}/api/health`, { headers: { cookie } });
        const page = report.parse(await answer.json());
        const beside = await doctor(dataDir);
        expect(words(beside.checks.filter(({ name }) => !own.includes(name)))).toEqual(words(page.checks));
        return { page, beside };
      },
      { timeout: 20_000, interval: 200 },
    );
    expect(page.checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'store',
        'collector',
        'host:kestrel',
        'sync',
        'segments',
        'intents',
        'audit',
        'outbox',
        'certificate',
        'node',
        'config',
        'data',
        'secrets',
      ]),
    );
    expect(beside.named('server')).toMatchObject({
      state: 'ok',
      detail: expect.stringContaining(`Process ${server.pid} answers at ${server.url}`),
    });
    expect(beside.named('database')).toMatchObject({ state: 'ok' });
    // The key stands in a file that only its owner reads.
    expect(statSync(join(dataDir, 'drover.lock')).mode & 0o077).toBe(0);

    await server.kill('SIGTERM');
    const after = await doctor(dataDir, '--port', String(server.port));
    expect(after.named('server')).toMatchObject({
      state: 'warn',
      detail: expect.stringContaining('Not running'),
    });
    expect(after.named('host:kestrel')).toMatchObject({ title: 'Host kestrel' });
  }, 30_000);

  it('says when the server holds its data and does not answer', async () => {
    const dataDir = temporaryDirectory();
    const server = await startServer({ dataDir });
    onTestFinished(() => server.kill('SIGKILL'));
    process.kill(server.pid, 'SIGSTOP');
    const { exitCode, named, checks } = await doctor(dataDir);
    expect(exitCode).toBe(1);
    expect(named('server')).toMatchObject({
      state: 'fail',
      detail: expect.stringContaining('does not answer at'),
      remediation: expect.stringContaining(`kill ${server.pid}`),
    });
    // From the files instead.
    expect(checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['store', 'segments', 'audit', 'data']),
    );
  }, 30_000);
});

describe('doctor without a server', () => {
  it('says so, checks what the files can answer, and changes nothing', async () => {
    const dataDir = dataDirWithDatabase();
    const before = statSync(join(dataDir, 'drover.db')).mtimeMs;
    const { exitCode, status, checks, named } = await doctor(dataDir, '--port', '1');
    expect({ exitCode, status }).toEqual({ exitCode: 0, status: 'degraded' });
    expect(checks.filter(({ state }) => state !== 'ok').map(({ name }) => name)).toEqual(['server']);
    expect(checks.map(({ name }) => name)).toEqual([
      'server',
      'database',
      'store',
      'hosts',
      'segments',
      'intents',
      'audit',
      'outbox',
      'certificate',
      'node',
      'config',
      'data',
      'secrets',
    ]);
    expect(named('store')?.detail).toMatch(/^0 rows of history, .* free\.$/);
    expect(statSync(join(dataDir, 'drover.db')).mtimeMs).toBe(before);
  });

  it('says that another program has the port', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await new Promise((resolve) => taken.once('listening', resolve));
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { exitCode, named } = await doctor(dataDirWithDatabase(), '--port', String(port));
    expect(exitCode).toBe(1);
    expect(named('server')).toMatchObject({
      state: 'fail',
      detail: expect.stringContaining(`another program listens at 127.0.0.1:${port}`),
    });
  });

  it('says that there is nothing yet', async () => {
    const { exitCode, named } = await doctor(temporaryDirectory(), '--port', '1');
    expect(exitCode).toBe(0);
    expect(named('store')).toMatchObject({ state: 'warn', detail: 'There is no database yet.' });
    expect(named('database')).toBeUndefined();
  });

  it('says what is damaged, open to others, or not set, and ends with exit code 1', async () => {
    const dataDir = dataDirWithDatabase();
    writeFileSync(join(dataDir, 'secrets.json'), '{"hostKeys":{}}', { mode: 0o644 });
    writeFileSync(join(dataDir, 'drover.db'), 'this is no database, it only stands in its place'.repeat(100));
    writeFileSync(
      join(dataDir, 'drover.yaml'),
      'hosts: [{ id: tern, url: "http://tern.lan:8080", keyRef: "env:DOCTOR_TEST_UNSET" }]\n',
    );
    const { exitCode, status, named } = await doctor(dataDir, '--port', '1');
    expect({ exitCode, status }).toEqual({ exitCode: 1, status: 'failed' });
    expect(named('database')).toMatchObject({ state: 'fail', detail: expect.stringMatching(/^Damaged: /) });
    expect(named('store')).toMatchObject({ state: 'fail' });
    expect(named('secrets')?.remediation).toContain('chmod 600');
    expect(named('config')).toMatchObject({
      state: 'warn',
      detail: expect.stringContaining('DOCTOR_TEST_UNSET'),
    });
  });

  it('prints lines, failed first, each with what to do', async () => {
    const dataDir = dataDirWithDatabase();
    writeFileSync(join(dataDir, 'secrets.json'), '{"hostKeys":{}}', { mode: 0o644 });
    const run = await runCli({
      argv: ['doctor', '--data-dir', dataDir, '--port', '1'],
      env: {},
      cwd: dataDir,
    });
    const lines = run.out.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^Failed {3}Keys of hosts: /);
    expect(lines[1]).toMatch(/^ +→ chmod 600 /);
    expect(lines[2]).toMatch(/^Warning {2}Server: Not running/);
    expect(lines.at(-1)).toBe('1 failed, 1 warning');
  });
});
