import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { HealthCheck } from '#shared/schemas/info.ts';
import { Connection } from '../adapters/sqlite/connection.ts';
import { createFleetStore } from '../adapters/sqlite/fleet-store.ts';
import type { Config } from '../config.ts';
import { readTlsFiles } from '../tls.ts';
import { expectWords, type Command } from './command.ts';

const OLDEST_NODE = 24;
const LITTLE_SPACE_BYTES = 1024 ** 3;

/** `drover doctor`: what is wrong on this machine and what to do about it. It changes nothing. */
export const doctorCommand: Command = {
  help: '  doctor                                   checks Node, settings, data, keys and hosts',
  needsData: false,
  run(input) {
    expectWords(input, 0, 'drover doctor');
    const checks = [
      nodeCheck(process.versions.node),
      configCheck(input.config),
      dataDirCheck(input.config.dataDir),
      ...databaseChecks(input.config, input.databasePath),
      secretsCheck(input.config.dataDir),
    ];
    const failed = checks.some((check) => check.state === 'fail');
    const warned = checks.some((check) => check.state === 'warn');
    const status = failed ? 'failed' : warned ? 'degraded' : 'ok';
    const lines = checks.map(
      (check) =>
        `${check.state.padEnd(4)}  ${check.name}: ${check.detail}${check.remediation === null ? '' : `\n      → ${check.remediation}`}`,
    );
    return { json: { status, checks }, text: lines.join('\n'), exitCode: failed ? 1 : 0 };
  },
};

function nodeCheck(version: string): HealthCheck {
  return Number(version.split('.')[0]) >= OLDEST_NODE
    ? ok('node', `Node ${version}`)
    : fail(
        'node',
        `Node ${version} is too old`,
        `Install Node ${OLDEST_NODE}, or run "npm ci" in Drover's folder.`,
      );
}

function configCheck(config: Config): HealthCheck {
  if (config.tls !== null) {
    try {
      readTlsFiles(config.tls);
    } catch (error) {
      return fail('config', textOf(error), 'Give a PEM certificate chain and its key.');
    }
  }
  const unset = config.fileHosts
    .flatMap((host) => (host.keyRef === undefined ? [] : [host.keyRef.slice('env:'.length)]))
    .filter((name) => !process.env[name]);
  if (unset.length > 0) {
    return warn(
      'config',
      `not set here: ${unset.join(', ')}`,
      'Set these variables where the server is started.',
    );
  }
  return ok('config', config.configFile ?? 'no drover.yaml; flags, environment and defaults');
}

function dataDirCheck(dataDir: string): HealthCheck {
  if (!existsSync(dataDir)) return warn('data', `${dataDir} does not exist yet`, 'The first start makes it.');
  try {
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch {
    return fail('data', `${dataDir} cannot be written`, 'Make it writable for the user the server runs as.');
  }
  const { bavail, bsize } = statfsSync(dataDir);
  const free = bavail * bsize;
  const detail = `${dataDir}, ${(free / 1024 ** 3).toFixed(1)} GB free`;
  return free < LITTLE_SPACE_BYTES ? warn('data', detail, 'Free some disk space.') : ok('data', detail);
}

function databaseChecks(config: Config, path: string): HealthCheck[] {
  if (!existsSync(path)) return [warn('store', 'there is no database yet', 'Start the server once.')];
  let connection: Connection | null = null;
  try {
    connection = new Connection(path, { readonly: true });
    const verdict = String(connection.pragma('quick_check(1)'));
    if (verdict !== 'ok') {
      return [fail('store', `the database is damaged: ${verdict}`, 'Stop the server and restore a backup.')];
    }
    // What was written last is still in the log beside the file.
    const bytes = sizeOf(path) + sizeOf(`${path}-wal`);
    const size = `${(bytes / 1024 ** 2).toFixed(1)} MB`;
    const hosts = createFleetStore(connection).hosts();
    return [ok('store', `the database is sound, ${size}`), hostsCheck(hosts, config)];
  } catch (error) {
    return [
      fail(
        'store',
        `the database cannot be read: ${textOf(error)}`,
        'See the message; restore a backup if it is damaged.',
      ),
    ];
  } finally {
    connection?.close();
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

type StoredHosts = ReturnType<ReturnType<typeof createFleetStore>['hosts']>;

/** As last recorded: the server may be down, and a probe of ours would not show what it sees. */
function hostsCheck(hosts: StoredHosts, config: Config): HealthCheck {
  const troubled = hosts.filter(
    ({ config: host, status }) =>
      !host.paused && status !== null && !['connected', 'asleep', 'reconnecting'].includes(status.liveness),
  );
  const known = new Set(hosts.map(({ config: host }) => host.id));
  const missing = config.fileHosts.filter((host) => !known.has(host.id));
  if (missing.length > 0) {
    return warn(
      'hosts',
      `in drover.yaml but not taken over yet: ${missing.map((host) => host.id).join(', ')}`,
      'Restart the server.',
    );
  }
  if (troubled.length === 0) return ok('hosts', `${hosts.length} configured, none in trouble when last seen`);
  const named = troubled.map(({ config: host, status }) => `${host.id} ${status?.liveness ?? ''}`);
  return warn(
    'hosts',
    `in trouble when last seen: ${named.join(', ')}`,
    'Press Test on the host in the app.',
  );
}

function secretsCheck(dataDir: string): HealthCheck {
  const path = join(dataDir, 'secrets.json');
  if (!existsSync(path)) return ok('secrets', 'no key of a host is stored');
  // eslint-disable-next-line no-bitwise -- the permission bits of group and others
  const open = (statSync(path).mode & 0o077) !== 0;
  return open && process.platform !== 'win32'
    ? fail('secrets', 'secrets.json can be read by other users', `chmod 600 ${path}`)
    : ok('secrets', 'secrets.json is readable by its owner alone');
}

function ok(name: string, detail: string): HealthCheck {
  return { name, state: 'ok', detail, remediation: null };
}

function warn(name: string, detail: string, remediation: string): HealthCheck {
  return { name, state: 'warn', detail, remediation };
}

function fail(name: string, detail: string, remediation: string): HealthCheck {
  return { name, state: 'fail', detail, remediation };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
