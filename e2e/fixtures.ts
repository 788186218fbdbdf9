import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type APIRequestContext, test as base, expect } from 'playwright/test';
import { z } from 'zod';
import { type ActivityRow, activityPage } from '#shared/schemas/activity.ts';
import type { Role } from '#shared/schemas/auth.ts';
import { type RunningProcess, startEmulator, startServer } from '../server/testing/processes.ts';
import { type TcpProxy, startTcpProxy } from '../server/testing/tcp-proxy.ts';
import { type Complaints, watchPages } from './watch-page.ts';

/** The code that every test's fresh server accepts once. */
export const PAIRING_CODE = 'e2e-pairing-code';

/** A real server behind a cable that a test can pull. */
export interface Installation {
  /** Origin the browser uses: the proxy's. */
  readonly origin: string;
  readonly cable: TcpProxy;
  readonly server: RunningProcess;
  readonly dataDir: string;
  /** kill -9; `meanwhile` runs before a new process starts over the same data, on the same address. */
  killAndRestart(meanwhile?: () => void | Promise<void>): Promise<void>;
  /** Starts an emulated host that ends with the test; `--port` is any free one unless given. */
  emulator(args?: readonly string[]): Promise<RunningProcess>;
  /** A code for one more device, made by the command line as for somebody locked out. */
  newCode(role: Role): Promise<string>;
}

interface Fixtures {
  readonly drover: Installation;
  /** Fails the test when a page of it had an error that no cut network explains. */
  readonly complaints: Complaints;
}

const run = promisify(execFile);
const CLI = join(import.meta.dirname, '..', 'server', 'cli', 'main.ts');
const codeReply = z.object({ code: z.string() });

/** `test` with an installation of its own for each test; the page is not paired yet. */
export const test = base.extend<Fixtures>({
  drover: async ({}, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'drover-e2e-'));
    const env = { DROVER_PAIRING_CODE: PAIRING_CODE };
    let server = await startServer({ dataDir, env });
    const cable = await startTcpProxy(server.port);
    const emulators: RunningProcess[] = [];
    await use({
      origin: `http://127.0.0.1:${cable.port}`,
      cable,
      dataDir,
      get server() {
        return server;
      },
      async killAndRestart(meanwhile) {
        await server.kill('SIGKILL');
        await meanwhile?.();
        server = await startServer({ dataDir, env });
        cable.retarget(server.port);
      },
      async emulator(args = []) {
        const emulator = await startEmulator(args.includes('--port') ? args : ['--port', '0', ...args]);
        emulators.push(emulator);
        return emulator;
      },
      async newCode(role) {
        const args = [CLI, 'pair', '--role', role, '--json', '--data-dir', dataDir];
        const { stdout } = await run(process.execPath, args);
        return codeReply.parse(JSON.parse(stdout)).code;
      },
    });
    await cable.close();
    await Promise.all([server.kill('SIGTERM'), ...emulators.map((emulator) => emulator.kill('SIGTERM'))]);
    await rm(dataDir, { recursive: true, force: true });
  },
  complaints: [
    async ({ context }, use) => {
      const complaints = watchPages(context);
      await use(complaints);
      expect(complaints.unexpected(), 'errors in the console').toEqual([]);
    },
    { auto: true },
  ],
});

/** A kept connection may be closed by the other end while a busy machine is about to use it again. */
const RETRY = { maxRetries: 2 } as const;

/** Pairs the browser context by its own request, as a signed-in device would be. */
export async function pair(
  request: APIRequestContext,
  drover: Installation,
  options: { readonly code?: string; readonly label?: string } = {},
): Promise<void> {
  const { code = PAIRING_CODE, label = 'ana-phone' } = options;
  const reply = await request.post(`${drover.origin}/api/pair`, { ...RETRY, data: { code, label } });
  expect(reply.status(), await reply.text()).toBe(200);
}

/** Adds a host over the API. */
export async function addHost(
  request: APIRequestContext,
  drover: Installation,
  host: { readonly id: string; readonly url: string; readonly key?: string },
): Promise<void> {
  const reply = await request.post(`${drover.origin}/api/hosts`, {
    ...RETRY,
    data: { ...host, label: host.id },
  });
  expect(reply.status(), await reply.text()).toBe(201);
}

/** Starts the demo fleet over the API. */
export async function startDemo(request: APIRequestContext, drover: Installation): Promise<void> {
  const reply = await request.post(`${drover.origin}/api/demo`, RETRY);
  expect(reply.status(), await reply.text()).toBe(200);
}

/** Every row the server answers with, newest first. */
export async function activityOf(
  request: APIRequestContext,
  drover: Installation,
): Promise<readonly ActivityRow[]> {
  const rows: ActivityRow[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const reply = await request.get(`${drover.origin}/api/activity?limit=500${query}`, RETRY);
    expect(reply.status(), await reply.text()).toBe(200);
    const page = activityPage.parse(await reply.json());
    rows.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return rows;
}

/** Tells an emulated host to do something, see the emulator's README. */
export async function command(
  request: APIRequestContext,
  emulator: RunningProcess,
  name: string,
  body: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const reply = await request.post(`${emulator.url}/_emulator/${name}`, { ...RETRY, data: body });
  expect(reply.status(), await reply.text()).toBe(200);
}

export { expect };
