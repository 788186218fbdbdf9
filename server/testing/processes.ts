import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';

const ROOT = join(import.meta.dirname, '..', '..');
/** Where the JavaScript of the sources is kept between starts: reading TypeScript anew costs each process half a second. */
const COMPILED = join(ROOT, 'node_modules', '.cache', 'drover', 'compiled');

/** A child process that has said where it listens. */
export interface RunningProcess {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Every line it printed, for a failing test's report. */
  readonly lines: readonly string[];
  readonly pairingUrl: string | null;
  /** Resolves when it ended, with its exit code; null when a signal ended it. */
  readonly exited: Promise<number | null>;
  kill(signal: NodeJS.Signals): Promise<void>;
}

const listeningLine = z.object({
  event: z.literal('listening'),
  url: z.string(),
  pid: z.number(),
  pairingUrl: z.string().nullish(),
});
type ListeningLine = z.infer<typeof listeningLine>;

/** Starts the real server as `npm start` does, on `port` (0: any free one) over `dataDir`, with nothing else configured. */
export function startServer(options: {
  readonly dataDir: string;
  readonly port?: number;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}): Promise<RunningProcess> {
  return start(
    [
      'bin/serve.mjs',
      '--data-dir',
      options.dataDir,
      '--port',
      String(options.port ?? 0),
      ...(options.args ?? []),
    ],
    { DROVER_CONFIG: '', ...options.env },
  );
}

/** Starts one emulated llama-swap, as `npm run emulator` does. */
export function startEmulator(args: readonly string[]): Promise<RunningProcess> {
  return start(['server/emulator/cli.ts', ...args], {});
}

async function start(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<RunningProcess> {
  const inherited = Object.entries({ NODE_COMPILE_CACHE: COMPILED, ...process.env }).filter(
    ([name]) => !name.startsWith('DROVER_'),
  );
  const added = Object.entries(env).filter(([, value]) => value !== '');
  const child = spawn(process.execPath, [...args], {
    cwd: ROOT,
    env: Object.fromEntries([...inherited, ...added]),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => lines.push(line));
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code));
  });
  const listening = await untilListening(child, lines);
  return {
    url: listening.url,
    port: Number(new URL(listening.url).port),
    pid: listening.pid,
    pairingUrl: listening.pairingUrl ?? null,
    lines,
    exited,
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      process.kill(listening.pid, signal);
      await exited;
    },
  };
}

function untilListening(child: ChildProcess, lines: string[]): Promise<ListeningLine> {
  const { promise, resolve, reject } = Promise.withResolvers<ListeningLine>();
  if (!child.stdout) throw new Error('the child has no stdout');
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    const parsed = parseListening(line);
    if (parsed) resolve(parsed);
  });
  child.on('exit', (code) =>
    reject(new Error(`exited with ${code} before it listened:\n${lines.join('\n')}`)),
  );
  child.on('error', reject);
  return promise;
}

function parseListening(line: string): ListeningLine | null {
  if (!line.startsWith('{')) return null;
  return listeningLine.safeParse(JSON.parse(line)).data ?? null;
}
