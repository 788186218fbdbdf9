import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type APIRequestContext, test as base, expect } from 'playwright/test';
import { type RunningProcess, startEmulator, startServer } from '../server/testing/processes.ts';
import { type TcpProxy, startTcpProxy } from '../server/testing/tcp-proxy.ts';

/** The code that every test's fresh server accepts once. */
export const PAIRING_CODE = 'e2e-pairing-code';

/** A real server behind a cable that a test can pull. */
export interface Installation {
  /** Origin the browser uses: the proxy's. */
  readonly origin: string;
  readonly cable: TcpProxy;
  readonly server: RunningProcess;
  /** kill -9 and a new process over the same data, on the same address. */
  killAndRestart(): Promise<void>;
  /** Starts an emulated host that ends with the test. */
  emulator(args: readonly string[]): Promise<RunningProcess>;
}

/** `test` with an installation of its own for each test; the page is not paired yet. */
export const test = base.extend<{ drover: Installation }>({
  drover: async ({}, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'drover-e2e-'));
    const env = { DROVER_PAIRING_CODE: PAIRING_CODE };
    let server = await startServer({ dataDir, env });
    const cable = await startTcpProxy(server.port);
    const emulators: RunningProcess[] = [];
    await use({
      origin: `http://127.0.0.1:${cable.port}`,
      cable,
      get server() {
        return server;
      },
      async killAndRestart() {
        await server.kill('SIGKILL');
        server = await startServer({ dataDir, env });
        cable.retarget(server.port);
      },
      async emulator(args) {
        const emulator = await startEmulator(args);
        emulators.push(emulator);
        return emulator;
      },
    });
    await cable.close();
    await Promise.all([server.kill('SIGTERM'), ...emulators.map((emulator) => emulator.kill('SIGTERM'))]);
    await rm(dataDir, { recursive: true, force: true });
  },
});

/** Pairs the browser context by its own request, as a signed-in device would be. */
export async function pair(
  request: APIRequestContext,
  drover: Installation,
  label = 'ana-phone',
): Promise<void> {
  const reply = await request.post(`${drover.origin}/api/pair`, { data: { code: PAIRING_CODE, label } });
  expect(reply.status(), await reply.text()).toBe(200);
}

/** Adds a host over the API and returns its id. */
export async function addHost(
  request: APIRequestContext,
  drover: Installation,
  host: { readonly id: string; readonly url: string },
): Promise<void> {
  const reply = await request.post(`${drover.origin}/api/hosts`, { data: { ...host, label: host.id } });
  expect(reply.status(), await reply.text()).toBe(201);
}

export { expect };
