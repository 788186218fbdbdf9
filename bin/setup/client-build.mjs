import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, contentHash, fail, pinnedNode, run, say } from './shared.mjs';

const SOURCES = ['client', 'shared', 'sync', 'vite.config.ts', 'package-lock.json'];

/** Builds the client into dist/client when it is missing or its sources changed since the last build. */
export function buildClientIfStale() {
  const stampPath = join(ROOT, 'dist', '.client-sources');
  const hash = contentHash(SOURCES.map((name) => join(ROOT, name)));
  const isBuilt = existsSync(join(ROOT, 'dist', 'client', 'index.html'));
  if (isBuilt && existsSync(stampPath) && readFileSync(stampPath, 'utf8') === hash) return;
  say('building the client…');
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
  const code = run(pinnedNode() ?? 'node', [vite, 'build', '--logLevel', 'warn']);
  // Stamped only after a whole build: a failed one can leave an empty service worker behind.
  if (code !== 0) fail('the client could not be built; the message above says why.');
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  writeFileSync(stampPath, hash);
}
