import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import type { ActivityRow } from '#shared/schemas/activity.ts';
import type { Role } from '#shared/schemas/auth.ts';
import type { Host } from '#shared/schemas/host.ts';
import type { HealthCheck, Info } from '#shared/schemas/info.ts';
import type { Model } from '#shared/schemas/model.ts';
import { routes } from '#shared/http/routes.ts';
import { must } from '#shared/lib/assert.ts';
import { runCli } from '../cli/run-cli.ts';
import { startServer, type RunningProcess } from '../testing/processes.ts';
import { temporaryDirectory } from '../testing/temporary-store.ts';

const PAIRING_CODE = 'first-code-42';
const PAGE_ROWS = 500;

/** What a server is started with; everything has a default. */
export interface DroverOptions {
  readonly dataDir?: string;
  readonly args?: readonly string[];
}

/**
 * The whole server as a process of its own over one data directory, with an admin's session. It can be killed and
 * started again at the same address, as a supervisor would.
 */
export class DroverProcess {
  readonly dataDir: string;
  readonly #args: readonly string[];
  #process: RunningProcess;
  #cookie = '';

  private constructor(options: { dataDir: string; args: readonly string[]; process: RunningProcess }) {
    this.dataDir = options.dataDir;
    this.#args = options.args;
    this.#process = options.process;
    onTestFinished(() => this.#process.kill('SIGKILL'));
  }

  /** Starts a server on an empty directory and pairs with it. */
  static async start(options: DroverOptions = {}): Promise<DroverProcess> {
    const dataDir = options.dataDir ?? temporaryDirectory();
    const args = options.args ?? [];
    const process = await startServer({ dataDir, args, env: { DROVER_PAIRING_CODE: PAIRING_CODE } });
    const drover = new DroverProcess({ dataDir, args, process });
    await drover.#pair();
    return drover;
  }

  get url(): string {
    return this.#process.url;
  }

  get port(): number {
    return this.#process.port;
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** Every line of the running process, for looking what it said. */
  get lines(): readonly string[] {
    return this.#process.lines;
  }

  get databasePath(): string {
    return join(this.dataDir, 'drover.db');
  }

  /** Ends the process; resolves with its exit code when it is gone (null: the signal ended it). */
  async kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    await this.#process.kill(signal);
    return this.#process.exited;
  }

  /** Sends a signal that does not end it. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    process.kill(this.#process.pid, signal);
  }

  /** Starts again over the same data at the same address. */
  async startAgain(): Promise<void> {
    const { port } = this;
    this.#process = await startServer({ dataDir: this.dataDir, port, args: this.#args });
  }

  /** A request as the admin. */
  request(path: string, init: { readonly method?: string; readonly body?: unknown } = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method: init.method ?? 'GET',
      headers: {
        cookie: this.#cookie,
        ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
    });
  }

  info(): Promise<Info> {
    return this.#read('/api/info', routes.info.replies[200]);
  }

  async hosts(): Promise<readonly Host[]> {
    return (await this.#read('/api/hosts', routes.listHosts.replies[200])).hosts;
  }

  /** One host; throws when it is not listed. */
  async host(id: string): Promise<Host> {
    return must(
      (await this.hosts()).find((host) => host.id === id),
      `host ${id}`,
    );
  }

  async models(hostId?: string): Promise<readonly Model[]> {
    const query = hostId === undefined ? '' : `?hostId=${hostId}`;
    return (await this.#read(`/api/models${query}`, routes.listModels.replies[200])).models;
  }

  async healthChecks(): Promise<readonly HealthCheck[]> {
    return (await this.#read('/api/health', routes.health.replies[200])).checks ?? [];
  }

  /** The newest rows, one page of them. */
  async newestRows(limit = 100, hostId?: string): Promise<readonly ActivityRow[]> {
    const query = `limit=${limit}${hostId === undefined ? '' : `&hostId=${hostId}`}`;
    return (await this.#read(`/api/activity?${query}`, routes.activity.replies[200])).rows;
  }

  /** Every row that `GET /api/activity` gives, page after page. */
  async allRows(query = ''): Promise<readonly ActivityRow[]> {
    const rows: ActivityRow[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page: { rows: ActivityRow[]; nextCursor: string | null } = await this.#read(
        `/api/activity?limit=${PAGE_ROWS}${query}${after}`,
        routes.activity.replies[200],
      );
      rows.push(...page.rows);
      cursor = page.nextCursor;
    }
    return rows;
  }

  /** Adds a host whose id is `id`. */
  async addHost(id: string, url: string): Promise<Host> {
    const reply = await this.request('/api/hosts', { method: 'POST', body: { id, label: id, url } });
    if (reply.status !== 201) throw new Error(`adding ${id}: ${reply.status} ${await reply.text()}`);
    return routes.createHost.replies[201].parse(await reply.json());
  }

  async patchHost(id: string, body: Readonly<Record<string, unknown>>): Promise<void> {
    const reply = await this.request(`/api/hosts/${id}`, { method: 'PATCH', body });
    if (reply.status !== 200) throw new Error(`changing ${id}: ${reply.status} ${await reply.text()}`);
  }

  /** Makes an API key. */
  async createKey(role: Role): Promise<{ readonly id: string; readonly key: string }> {
    const reply = await this.request('/api/keys', { method: 'POST', body: { label: `a ${role}`, role } });
    return routes.createKey.replies[201].parse(await reply.json());
  }

  /** Pairs one more device by the command line's way in; returns its `cookie` header. */
  async pairDevice(role: Role): Promise<string> {
    const argv = ['pair', '--role', role, '--json', '--data-dir', this.dataDir];
    const { out } = await runCli({ argv, env: {}, cwd: this.dataDir });
    const { code } = z.object({ code: z.string() }).parse(JSON.parse(out));
    const reply = await fetch(`${this.url}/api/pair`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code, label: `a ${role}` }),
    });
    return must(reply.headers.getSetCookie()[0]?.split(';')[0], 'a session cookie');
  }

  async #read<S extends z.core.$ZodType>(path: string, schema: S): Promise<z.output<S>> {
    const reply = await this.request(path);
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return z.parse(schema, await reply.json());
  }

  async #pair(): Promise<void> {
    const reply = await this.request('/api/pair', {
      method: 'POST',
      body: { code: PAIRING_CODE, label: 'admin' },
    });
    this.#cookie = must(reply.headers.getSetCookie()[0]?.split(';')[0], 'a session cookie');
  }
}
