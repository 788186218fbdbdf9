// What `npm start` runs: the server, on less memory. Plain JavaScript, because what is said here must be said before
// the first TypeScript file is read.
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

const ROOT = join(import.meta.dirname, '..');

// Most of what an idle server held was room for garbage: the young generation grows at the start and stays. The rows
// of a busy fleet are few enough to be collected more often.
setFlagsFromString('--semi-space-growth-factor=1');
// Keeps the JavaScript that the sources become, so that only the first start loads the compiler (20 MB, and half a
// second). Where nothing can be written, nothing is kept.
const COMPILED = join(ROOT, 'node_modules', '.cache', 'drover', 'compiled');
enableCompileCache(COMPILED);
// For the threads too, each of which would load it.
process.env.NODE_COMPILE_CACHE ??= COMPILED;

await import('../server/main.ts');
flushCompileCache();
