import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { MachineFacts } from '../domain/health/machine-checks.ts';
import { freeBytesAt } from './sqlite/store-files.ts';

/** Looks at the machine and the files beside the database. It changes nothing. */
export function readMachineFacts(
  config: Pick<Config, 'dataDir' | 'configFile' | 'fileHosts'>,
  env: Readonly<Record<string, string | undefined>>,
): MachineFacts {
  const { dataDir, configFile, fileHosts } = config;
  const named = fileHosts.flatMap(({ keyRef }) =>
    keyRef === undefined ? [] : [keyRef.slice('env:'.length)],
  );
  return {
    nodeVersion: process.versions.node,
    configFile,
    unsetVariables: [...new Set(named)].filter((name) => !env[name]),
    dataDir,
    folder: folderState(dataDir),
    freeBytes: freeBytesAt(dataDir),
    secrets: secretsState(join(dataDir, 'secrets.json')),
  };
}

function folderState(dataDir: string): MachineFacts['folder'] {
  if (!existsSync(dataDir)) return 'missing';
  try {
    accessSync(dataDir, constants.W_OK | constants.X_OK);
    return 'writable';
  } catch {
    return 'readonly';
  }
}

function secretsState(path: string): MachineFacts['secrets'] {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode === undefined) return 'none';
  return (mode & 0o077) !== 0 && process.platform !== 'win32' ? 'open' : 'private';
}
