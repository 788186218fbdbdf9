import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { SecretStore } from '../domain/host-ports.ts';

const secretsFile = z.object({ hostKeys: z.record(z.string(), z.string()) });

/** By host id: a map, because a host may be called `constructor`. */
type HostKeys = ReadonlyMap<string, string>;

/**
 * Keys of hosts in `secrets.json`, which only its owner may read and which no backup holds. Written whole to a new file
 * that then takes the place of the old one, so that a crash leaves one or the other. A file that cannot be read is an
 * error and is never overwritten.
 */
export class SecretsFile implements SecretStore {
  readonly #path: string;
  #hostKeys: HostKeys;

  constructor(path: string) {
    this.#path = path;
    this.#hostKeys = read(path);
  }

  hostKey(hostId: string): string | null {
    return this.#hostKeys.get(hostId) ?? null;
  }

  setHostKey(hostId: string, key: string | null): void {
    if (this.hostKey(hostId) === key) return;
    const hostKeys = new Map(this.#hostKeys);
    if (key === null) hostKeys.delete(hostId);
    else hostKeys.set(hostId, key);
    write(this.#path, hostKeys);
    this.#hostKeys = hostKeys;
  }
}

function read(path: string): HostKeys {
  if (!existsSync(path)) return new Map();
  // Someone may have copied the file in with wider permissions.
  chmodSync(path, 0o600);
  try {
    const { hostKeys } = secretsFile.parse(JSON.parse(readFileSync(path, 'utf8')));
    return new Map(Object.entries(hostKeys));
  } catch (cause) {
    // The parser's message may quote the text it stumbled over: it stays out of ours.
    throw new Error(
      `${path} is not a secrets file of Drover: repair it, or move it away and enter the keys again`,
      {
        cause,
      },
    );
  }
}

function write(path: string, hostKeys: HostKeys): void {
  const temporary = join(dirname(path), `.secrets-${process.pid}.tmp`);
  rmSync(temporary, { force: true });
  const file = openSync(temporary, 'wx', 0o600);
  try {
    writeSync(file, `${JSON.stringify({ hostKeys: Object.fromEntries(hostKeys) }, null, 2)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}
