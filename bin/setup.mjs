// Makes a fresh clone runnable: called by the `pre` script of every command. Plain JavaScript without dependencies,
// because it runs before any are installed, on whatever Node (18 or later) the machine has.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildClientIfStale } from './setup/client-build.mjs';
import { ensureBrowser } from './setup/browser.mjs';
import { ensureNode } from './setup/node-version.mjs';
import { ROOT, contentHash, fail, npm, say } from './setup/shared.mjs';

const mode = process.argv[2] ?? 'start';
if (Number(process.versions.node.split('.')[0]) < 18) {
  fail(
    `Node ${process.versions.node} is too old to set Drover up. Install Node 18 or later (24 is best) and try again.`,
  );
}

installDependencies();
ensureNode();
if (mode === 'start' || mode === 'test' || mode === 'bench') buildClientIfStale();
if (mode === 'test' || mode === 'bench') ensureBrowser();

/** Runs `npm ci` when node_modules is missing or was not made from this lock file. */
function installDependencies() {
  const stampPath = join(ROOT, 'node_modules', '.drover-lock-hash');
  const lockPath = join(ROOT, 'package-lock.json');
  const hash = contentHash([lockPath]);
  if (existsSync(stampPath) && readFileSync(stampPath, 'utf8') === hash) return;
  if (!isInstalledByHand(lockPath)) {
    say('installing dependencies (about a minute the first time)…');
    npm(['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']);
  }
  writeFileSync(stampPath, hash);
}

/** True when someone ran `npm ci` or `npm install` after the lock file was last written. */
function isInstalledByHand(lockPath) {
  const installed = join(ROOT, 'node_modules', '.package-lock.json');
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(lockPath).mtimeMs;
}
