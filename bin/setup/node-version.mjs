import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, fail, npm, pinnedNode, say } from './shared.mjs';

const OLDEST_MAJOR = 24;

/**
 * Makes sure that the scripts run on Node 24: the one the lock file pins, else a system Node of at least that version.
 * An older one must not get further: better-sqlite3's binary crashes on it without a message.
 */
export function ensureNode() {
  if (works(pinnedNode(), pinnedVersion())) return;
  say(`Node ${pinnedVersion()} is missing or broken in node_modules; repairing it…`);
  try {
    npm(['rebuild', 'node', '--ignore-scripts=false', '--foreground-scripts']);
  } catch {
    // The check below says what to do.
  }
  if (works(pinnedNode(), pinnedVersion())) return;
  const system = systemNodeVersion();
  if (system && Number(system.split('.')[0]) >= OLDEST_MAJOR) {
    say(`using the system's Node ${system}.`);
    return;
  }
  fail(
    `Drover needs Node ${OLDEST_MAJOR} or later; this machine has ${system ?? 'none'} and the npm package "node" has no ` +
      `build for ${process.platform}-${process.arch}. Install Node ${OLDEST_MAJOR} and run the command again.`,
  );
}

function pinnedVersion() {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).optionalDependencies.node;
}

function works(path, version) {
  if (!path) return false;
  const result = spawnSync(path, ['-v'], { encoding: 'utf8', timeout: 20_000 });
  return result.status === 0 && result.stdout.trim() === `v${version}`;
}

function systemNodeVersion() {
  const path = (process.env.PATH ?? '')
    .split(process.platform === 'win32' ? ';' : ':')
    .filter((folder) => !folder.includes('node_modules'))
    .join(process.platform === 'win32' ? ';' : ':');
  const result = spawnSync('node', ['-v'], {
    encoding: 'utf8',
    env: { ...process.env, PATH: path },
    timeout: 20_000,
  });
  return result.status === 0 ? result.stdout.trim().replace(/^v/, '') : null;
}
