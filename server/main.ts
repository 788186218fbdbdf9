import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { consoleLog } from './adapters/console-log.ts';
import { DataDirLockedError } from './adapters/sqlite/lock.ts';
import { SchemaError } from './adapters/sqlite/migrations.ts';
import { systemClock } from './adapters/system-clock.ts';
import { announceListening } from './announce.ts';
import type { RunningServer } from './composition.ts';
import { loadConfig, settingsHelp, type Config } from './config.ts';
import type { Log } from './domain/ports.ts';
import { startWhenPossible } from './start-when-possible.ts';
import { readTlsFiles, type TlsFiles } from './tls.ts';

const ROOT = join(import.meta.dirname, '..');

const USAGE = `Usage: npm start -- [settings]

${settingsHelp()}
`;

/** How long a graceful stop may take before the process ends anyway. */
const STOP_DEADLINE_MS = 10_000;

const EXIT = { failed: 1, usage: 2, wrongState: 3 } as const;

// Whatever Drover writes is for the user it runs as alone.
process.umask(0o077);
const log = consoleLog(process.stdout, systemClock);
await main();

async function main(): Promise<void> {
  const parsed = loadConfig({ argv: process.argv.slice(2), env: process.env, cwd: process.cwd() });
  if (parsed.kind === 'help') {
    process.stdout.write(USAGE);
    return;
  }
  if (parsed.kind === 'invalid') {
    fail(EXIT.usage, [...parsed.problems, 'See --help.']);
    return;
  }
  const { config } = parsed;
  const tls = config.tls === null ? null : tryTls(config.tls);
  if (tls === 'invalid') return;
  try {
    const server = await startWhenPossible({
      config,
      tls,
      log,
      version: readVersion(),
      clientDir: join(ROOT, 'dist', 'client'),
      env: process.env,
    });
    stopOnSignals(server, config);
    announceListening(process.stdout, { ...server, pid: process.pid });
  } catch (error) {
    explainFailure(error, config);
  }
}

function stopOnSignals(server: RunningServer, config: Config): void {
  let stopping = false;
  const stop = (signal: string) => {
    // The second Ctrl-C of somebody who does not want to wait.
    if (stopping) process.exit(EXIT.failed);
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.error({}, 'the stop took too long');
      process.exit(EXIT.failed);
    }, STOP_DEADLINE_MS).unref();
    void server.stop().then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // A broken assumption: what is committed is safe, and a fresh process knows more than this one now does.
  process.on('uncaughtException', (error) => {
    log.error({ error: error.stack ?? error.message }, 'Drover ends because of a fault of its own');
    process.exit(EXIT.failed);
  });
  const files = config.tls;
  // Without a certificate nothing is read again: its terminal was closed, which is one more way to be stopped.
  process.on('SIGHUP', files === null ? stop : () => reloadTls(server, files, log));
}

/** Renewed certificates come into use without a restart. */
function reloadTls(server: RunningServer, files: NonNullable<Config['tls']>, log: Log): void {
  try {
    server.replaceTls(readTlsFiles(files));
    log.info({}, 'the certificate was read again');
  } catch (error) {
    log.error({ error: String(error) }, 'the certificate was not read again; the old one stays in use');
  }
}

function tryTls(files: NonNullable<Config['tls']>): TlsFiles | 'invalid' {
  try {
    return readTlsFiles(files);
  } catch (error) {
    fail(EXIT.usage, [textOf(error)]);
    return 'invalid';
  }
}

function explainFailure(error: unknown, config: Config): void {
  if (error instanceof DataDirLockedError) {
    fail(EXIT.wrongState, [`${error.message} It holds ${config.dataDir}.`]);
  } else if (error instanceof SchemaError) {
    fail(EXIT.wrongState, [error.message]);
  } else if (isErrno(error, 'EADDRINUSE')) {
    fail(EXIT.failed, [
      `another program listens on ${config.host}:${config.port}; stop it, or choose another port with --port`,
    ]);
  } else if (isErrno(error, 'EADDRNOTAVAIL')) {
    fail(EXIT.failed, [`${config.host} is no address of this machine; choose another with --host`]);
  } else if (isErrno(error, 'EACCES')) {
    fail(EXIT.failed, [`not allowed: ${textOf(error)}`]);
  } else {
    fail(EXIT.failed, [textOf(error)]);
  }
}

function fail(exitCode: number, problems: readonly string[]): void {
  for (const problem of problems) process.stderr.write(`drover: ${problem}\n`);
  process.exitCode = exitCode;
}

function readVersion(): string {
  const text = readFileSync(join(ROOT, 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
