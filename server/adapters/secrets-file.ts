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
type Secrets = z.infer<typeof secretsFile>;

/**
 * Keys of hosts in `secrets.json`, which only its owner may read and which no backup holds. Written whole to a new file
 * that then takes the place of the old one, so that a crash leaves one or the other. A file that cannot be read is an
 * error and is never overwritten.
 */
export class SecretsFile implements SecretStore {
  readonly #path: string;
  #secrets: Secrets;

  constructor(path: string) {
    this.#path = path;
    this.#secrets = read(path);
  }

  hostKey(hostId: string): string | null {
    return this.#secrets.hostKeys[hostId] ?? null;
  }

  setHostKey(hostId: string, key: string | null): void {
    if (this.hostKey(hostId) === key) return;
    const others = Object.entries(this.#secrets.hostKeys).filter(([id]) => id !== hostId);
    const hostKeys = Object.fromEntries(key === null ? others : [...others, [hostId, key]]);
    write(this.#path, { hostKeys });
    this.#secrets = { hostKeys };
  }
}

function read(path: string): Secrets {
  if (!existsSync(path)) return { hostKeys: {} };
  // Someone may have copied the file in with wider permissions.
  chmodSync(path, 0o600);
  try {
    return secretsFile.parse(JSON.parse(readFileSync(path, 'utf8')));
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

function write(path: string, secrets: Secrets): void {
  const temporary = join(dirname(path), `.secrets-${process.pid}.tmp`);
  rmSync(temporary, { force: true });
  const file = openSync(temporary, 'wx', 0o600);
  try {
    writeSync(file, `${JSON.stringify(secrets, null, 2)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}
