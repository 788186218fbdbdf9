import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { CLOSE_CODES } from '#sync/close-codes.ts';
import { startServer, type RunningProcess } from './testing/processes.ts';
import { temporaryDirectory } from './testing/temporary-store.ts';

const CODE = 'First-Code-42';
const LAUNCHER = join(import.meta.dirname, '..', 'bin', 'drover.mjs');

interface StartOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

async function start(dataDir: string, options: StartOptions = {}): Promise<RunningProcess> {
  const server = await startServer({ dataDir, ...options });
  onTestFinished(() => server.kill('SIGKILL'));
  return server;
}

/** Pairs a device; returns its cookie. */
async function pair(url: string, code = CODE): Promise<string> {
  const reply = await fetch(`${url}/api/pair`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, label: 'laptop' }),
  });
  expect(reply.status).toBe(200);
  return reply.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

async function statusOf(url: string, headers: Record<string, string> = {}): Promise<number> {
  const reply = await fetch(url, { headers });
  await reply.body?.cancel();
  return reply.status;
}

function drover(dataDir: string, ...args: string[]): unknown {
  const run = spawnSync(process.execPath, [LAUNCHER, ...args, '--json', '--data-dir', dataDir], {
    encoding: 'utf8',
  });
  expect(run).toMatchObject({ status: 0, stderr: '' });
  return JSON.parse(run.stdout);
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  return port;
}

/** Opens a socket on the fleet document; `closed` resolves with the code and reason it is closed with. */
async function openSocket(server: RunningProcess, headers: Record<string, string>, query = '') {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/sync/fleet@g1${query}`, { headers });
  const closed = once(socket, 'close').then(([code, reason]) => ({
    code: Number(code),
    reason: String(reason),
  }));
  await once(socket, 'message');
  return { closed };
}

describe('the server', () => {
  it('says where it listens in one line of JSON, as all its lines are, and pairs the first device', async () => {
    const dataDir = temporaryDirectory();
    const server = await start(dataDir, { env: { DROVER_PAIRING_CODE: CODE } });
    const lines = server.lines.map((line): unknown => JSON.parse(line));
    expect(
      lines.filter((line) => z.object({ event: z.literal('listening') }).safeParse(line).success),
    ).toEqual([
      { event: 'listening', url: server.url, pid: server.pid, pairingUrl: `${server.url}/#pair=${CODE}` },
    ]);
    expect(await statusOf(`${server.url}/api/hosts`)).toBe(401);
    const cookie = await pair(server.url);
    expect(await statusOf(`${server.url}/api/hosts`, { cookie })).toBe(200);
    expect(statSync(join(dataDir, 'drover.db')).mode & 0o077).toBe(0);

    await server.kill('SIGTERM');
    const again = await start(dataDir, { env: { DROVER_PAIRING_CODE: CODE } });
    expect(again.pairingUrl).toBeNull();
    expect(await statusOf(`${again.url}/api/hosts`, { cookie })).toBe(200);
  });

  it('refuses a data directory that another one has, and names it', async () => {
    const dataDir = temporaryDirectory();
    const server = await start(dataDir);
    await expect(start(dataDir)).rejects.toThrow(
      new RegExp(`exited with 3[^]*in use by Drover process ${server.pid}`),
    );
    expect(await statusOf(`${server.url}/api/health`)).toBe(200);
  });

  it('ends with 2 on settings that do not fit, before it touches anything', async () => {
    const dataDir = temporaryDirectory();
    await expect(start(dataDir, { args: ['--colour'] })).rejects.toThrow(/exited with 2[^]*--colour/);
    writeFileSync(join(dataDir, 'drover.yaml'), 'server:\n  prot: 1\n');
    await expect(start(dataDir)).rejects.toThrow(/exited with 2[^]*line 2: unknown key "server\.prot"/);
  });

  it('ends with 1 on a port that is taken, and says so', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => void taken.close());
    const port = portOf(taken);
    await expect(startServer({ dataDir: temporaryDirectory(), port })).rejects.toThrow(
      /exited with 1[^]*another program listens/,
    );
  });

  it('says what to do while its data cannot be opened, and starts by itself once it can', async () => {
    const dataDir = temporaryDirectory();
    // What a damaged disk looks like from here: there is something, and it is no database.
    mkdirSync(join(dataDir, 'drover.db'));
    const port = await freePort();
    const starting = startServer({ dataDir, port });
    const url = `http://127.0.0.1:${port}`;
    await expect.poll(() => statusOf(url).catch(() => 0), { timeout: 15_000 }).toBe(503);
    const page = await fetch(url, { headers: { accept: 'text/html' } });
    expect(await page.text()).toContain(dataDir);
    const health = await fetch(`${url}/api/health`);
    expect(await health.json()).toEqual({ status: 'failed' });
    const hosts = await fetch(`${url}/api/hosts`);
    expect(await hosts.json()).toMatchObject({ error: { code: 'store_unavailable' } });
    rmdirSync(join(dataDir, 'drover.db'));
    const server = await starting;
    onTestFinished(() => server.kill('SIGKILL'));
    expect(server.port).toBe(port);
    expect(await statusOf(`${url}/api/hosts`)).toBe(401);
  }, 60_000);

  it('closes sockets to come back later when it is stopped, and ends with 0', async () => {
    const server = await start(temporaryDirectory(), { env: { DROVER_PAIRING_CODE: CODE } });
    const { closed } = await openSocket(server, { cookie: await pair(server.url) });
    await server.kill('SIGTERM');
    expect(await closed).toMatchObject({ code: CLOSE_CODES.restarting });
    expect(server.lines.at(-1)).toContain('"stopping"');
  });

  it('stops as well when its terminal is closed', async () => {
    const server = await start(temporaryDirectory());
    await server.kill('SIGHUP');
    expect(await server.exited).toBe(0);
  });

  it('takes over the hosts of drover.yaml, which nobody changes over HTTP', async () => {
    const dataDir = temporaryDirectory();
    writeFileSync(
      join(dataDir, 'drover.yaml'),
      'hosts:\n  - { id: attic, url: "http://127.0.0.1:1", keyRef: "env:ATTIC_KEY" }\n',
    );
    const server = await start(dataDir, { env: { DROVER_PAIRING_CODE: CODE } });
    const cookie = await pair(server.url);
    const listed = await fetch(`${server.url}/api/hosts`, { headers: { cookie } });
    expect(await listed.json()).toMatchObject({
      hosts: [{ id: 'attic', managedByFile: true, keySource: 'env:ATTIC_KEY' }],
    });
    const gone = await fetch(`${server.url}/api/hosts/attic`, { method: 'DELETE', headers: { cookie } });
    expect(gone.status).toBe(409);
  });
});

describe('the command line beside a running server', () => {
  it('lets a device in and throws a key out, sockets included', async () => {
    const dataDir = temporaryDirectory();
    const server = await start(dataDir, { env: { DROVER_PAIRING_CODE: CODE } });
    await pair(server.url);
    const link = z
      .object({ code: z.string(), url: z.string() })
      .parse(drover(dataDir, 'pair', '--role', 'viewer'));
    expect(link.url).toBe(`${server.url}/#pair=${link.code}`);
    expect(await statusOf(`${server.url}/api/hosts`, { cookie: await pair(server.url, link.code) })).toBe(
      200,
    );

    const made = z
      .object({ id: z.string(), key: z.string() })
      .parse(drover(dataDir, 'key', 'create', '--role', 'viewer', '--label', 'ci'));
    const headers = { authorization: `Bearer ${made.key}` };
    expect(await statusOf(`${server.url}/api/hosts`, headers)).toBe(200);
    const { closed } = await openSocket(server, {}, `?key=${made.key}`);
    drover(dataDir, 'key', 'revoke', made.id);
    expect(await statusOf(`${server.url}/api/hosts`, headers)).toBe(401);
    expect(await closed).toEqual({ code: CLOSE_CODES.session, reason: 'revoked' });
    expect(server.lines.join('\n')).not.toContain(made.key);
    // Four more processes start one after the other.
  }, 60_000);
});

describe('with a certificate of its own', () => {
  function selfSigned(directory: string, name: string, days = 365) {
    const [cert, key] = [join(directory, `${name}.crt`), join(directory, `${name}.key`)];
    const subject = '/CN=localhost -addext subjectAltName=IP:127.0.0.1';
    const options = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days ${days} -subj ${subject}`;
    execFileSync('openssl', [...options.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' });
    return { cert, key };
  }

  it('speaks https, and takes a renewed certificate without a restart', async () => {
    const directory = temporaryDirectory();
    const first = selfSigned(directory, 'first', 2);
    const server = await start(temporaryDirectory(), {
      env: { DROVER_TLS_CERT: first.cert, DROVER_TLS_KEY: first.key },
    });
    expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(server.pairingUrl).toContain('https://');
    const read = (certificate: string) =>
      new Promise<unknown>((resolve, reject) => {
        get(`${server.url}/api/health`, { ca: readFileSync(certificate), agent: false }, (reply) =>
          resolve(json(reply)),
        ).on('error', reject);
      });
    // It ends soon, which is said.
    expect(await read(first.cert)).toEqual({ status: 'degraded' });
    const second = selfSigned(directory, 'second');
    writeFileSync(first.key, readFileSync(second.key));
    writeFileSync(first.cert, readFileSync(second.cert));
    process.kill(server.pid, 'SIGHUP');
    await expect.poll(() => server.lines.at(-1)).toContain('the certificate was read again');
    expect(await read(second.cert)).toEqual({ status: 'ok' });
  });

  it('ends with 2 when the files do not fit', async () => {
    const directory = temporaryDirectory();
    const [first, second] = [selfSigned(directory, 'first'), selfSigned(directory, 'second')];
    const tls = (cert: string, key: string) => ({ env: { DROVER_TLS_CERT: cert, DROVER_TLS_KEY: key } });
    await expect(start(temporaryDirectory(), tls(first.cert, second.key))).rejects.toThrow(
      /exited with 2[^]*do not belong together/,
    );
    await expect(start(temporaryDirectory(), tls('/nowhere.crt', first.key))).rejects.toThrow(
      /exited with 2[^]*cannot be read/,
    );
  });
});
