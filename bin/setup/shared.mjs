import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's top folder. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const isWindows = process.platform === 'win32';

/** Path of the Node that the lock file pins, or null when it is not installed. */
export function pinnedNode() {
  const path = join(ROOT, 'node_modules', 'node', 'bin', isWindows ? 'node.exe' : 'node');
  return existsSync(path) ? path : null;
}

/** One line for the person at the terminal; stderr, because stdout belongs to the command that follows. */
export function say(message) {
  process.stderr.write(`drover set-up: ${message}\n`);
}

/** Says what is wrong and what to do, and ends with exit code 1. */
export function fail(message) {
  say(message);
  process.exit(1);
}

/** Runs a program with its output shown on stderr; returns its exit code (1 when it was killed or not found). */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
    shell: isWindows && !command.endsWith('.exe'),
    ...options,
  });
  return result.error ? 1 : (result.status ?? 1);
}

/** Runs npm with `args`, or fails with its exit code in words. */
export function npm(args) {
  const cli = process.env.npm_execpath;
  const code = cli?.endsWith('.js') ? run(process.execPath, [cli, ...args]) : run('npm', args);
  if (code !== 0)
    fail(`"npm ${args.join(' ')}" failed with exit code ${code}; its own message stands above.`);
}

/** SHA-256 over the names and contents of `paths` (files or folders, recursively, in a fixed order). */
export function contentHash(paths) {
  const hash = createHash('sha256');
  for (const path of paths) addToHash(hash, path);
  return hash.digest('hex');
}

function addToHash(hash, path) {
  if (!existsSync(path)) return;
  if (statSync(path).isDirectory()) {
    for (const name of readdirSync(path).sort()) addToHash(hash, join(path, name));
    return;
  }
  hash.update(path.slice(ROOT.length)).update('\0').update(readFileSync(path)).update('\0');
}
