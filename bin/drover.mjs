#!/usr/bin/env node
// The `drover` command: runs server/cli/main.ts on the Node that Drover is pinned to. Plain JavaScript, because it may be
// started by a Node that cannot read TypeScript.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, pinnedNode } from './setup/shared.mjs';

const OLDEST_MAJOR = 24;
/** Exit code of the tool itself for a command that cannot be carried out as things are. */
const WRONG_STATE = 3;

const node = findNode();
if (!existsSync(join(ROOT, 'node_modules', 'better-sqlite3'))) {
  stop('it is not set up yet: run "npm start" (or "npm ci") in its folder first.', WRONG_STATE);
}
if (node === null) {
  stop(
    `it needs Node ${OLDEST_MAJOR}: run "npm ci" in its folder, or install Node ${OLDEST_MAJOR}.`,
    WRONG_STATE,
  );
}

const child = spawn(node, [join(ROOT, 'server', 'cli', 'main.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => stop(error.message));
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});

function findNode() {
  const pinned = pinnedNode();
  if (pinned !== null) return pinned;
  return Number(process.versions.node.split('.')[0]) >= OLDEST_MAJOR ? process.execPath : null;
}

function stop(reason, exitCode = 1) {
  process.stderr.write(`drover cannot run: ${reason}\n`);
  process.exit(exitCode);
}
