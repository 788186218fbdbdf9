import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { askOver } from './child.ts';
import { type Usage, usage } from './process-meter.ts';
import type { Scratch } from './scratch.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const METER = new URL('./meter-preload.ts', import.meta.url);

/** The real server as a process, paired, with a key. */
export interface Product {
  readonly url: string;
  readonly pid: number;
  /** Value of a `cookie` header: an admin's device. */
  readonly cookie: string;
  /** A viewer's API key. */
  readonly key: string;
  /** `GET` of the API, as the admin, parsed. */
  get<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>>;
  post(path: string, body: unknown): Promise<void>;
  /** Only with `metered`: begins to measure. */
  resetMeter(): Promise<void>;
  readMeter(): Promise<Usage>;
  stop(): Promise<void>;
}

const listening = z.object({ event: z.literal('listening'), url: z.string(), pid: z.number() });
const packageFile = z.object({ scripts: z.object({ start: z.string() }) });
const madeKey = z.object({ key: z.string() });

/** Starts what `npm start` starts over a data folder; `metered` adds the one module that measures it from inside. */
export async function startProduct(
  scratch: Scratch,
  options: { readonly dataDir: string; readonly metered: boolean },
): Promise<Product> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('DROVER_'));
  // A code pairs once, also over the restarts of one data folder.
  const code = `bench-${randomUUID()}`;
  const child = fork(join(ROOT, startedFile()), ['--data-dir', options.dataDir, '--port', '0'], {
    env: { ...Object.fromEntries(inherited), DROVER_PAIRING_CODE: code },
    execArgv: options.metered ? ['--import', METER.href] : [],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  };
  scratch.onEnd(stop);
  const { url, pid } = await untilListening(child.stdout);
  const ask = askOver(child);
  const cookie = await pair(url, code);
  const headers = { cookie, 'content-type': 'application/json' };
  const post = async (path: string, body: unknown): Promise<Response> => {
    const reply = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`POST ${path}: ${reply.status} ${await reply.text()}`);
    return reply;
  };
  const { key } = madeKey.parse(await (await post('/api/keys', { label: 'bench', role: 'viewer' })).json());
  return {
    url,
    pid,
    cookie,
    key,
    async get(path, schema) {
      const reply = await fetch(`${url}${path}`, { headers });
      return schema.parse(await reply.json());
    },
    post: async (path, body) => void (await post(path, body)),
    resetMeter: async () => void (await ask({ type: 'reset' }, z.null())),
    readMeter: () => ask({ type: 'read' }, usage),
    stop,
  };
}

/** The file that `npm start` runs. */
function startedFile(): string {
  const { scripts } = packageFile.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
  const file = /^node (\S+)$/.exec(scripts.start)?.[1];
  if (file === undefined) throw new Error(`"${scripts.start}" is not "node" and a file`);
  return file;
}

async function untilListening(stdout: NodeJS.ReadableStream | null) {
  if (!stdout) throw new Error('the server has no stdout');
  // The rest of its log is read too: a full pipe would stop it.
  const lines = createInterface({ input: stdout });
  for await (const line of lines) {
    const said = line.startsWith('{') ? listening.safeParse(JSON.parse(line)) : null;
    if (!said?.success) continue;
    stdout.resume();
    return said.data;
  }
  throw new Error('the server ended before it listened');
}

async function pair(url: string, code: string): Promise<string> {
  const reply = await fetch(`${url}/api/pair`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, label: 'bench' }),
  });
  const cookie = reply.headers.getSetCookie()[0]?.split(';')[0];
  if (!reply.ok || cookie === undefined) throw new Error(`pairing: ${reply.status} ${await reply.text()}`);
  return cookie;
}
