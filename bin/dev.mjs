// `npm run dev`: the server restarting on change beside Vite's dev server, which passes /api and /sync on to it.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT, pinnedNode } from './setup/shared.mjs';

const node = pinnedNode() ?? 'node';
const children = [
  spawn(node, ['--watch', '--watch-preserve-output', 'server/main.ts', ...process.argv.slice(2)], options()),
  spawn(node, [join('node_modules', 'vite', 'bin', 'vite.js'), '--host', '127.0.0.1'], options()),
];

let stopping = false;
for (const child of children) child.on('exit', (code) => stop(code ?? 1));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(0));

function options() {
  return { cwd: ROOT, stdio: 'inherit' };
}

function stop(code) {
  if (stopping) return;
  stopping = true;
  process.exitCode = code;
  for (const child of children) child.kill('SIGTERM');
}
