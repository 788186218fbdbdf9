import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDERS = ['shared', 'sync', 'server', 'client'] as const;

let sandbox: string;

/** A copy of the real compiler projects with one harmless file in each folder. */
beforeAll(async () => {
  sandbox = await mkdtemp(join(tmpdir(), 'drover-boundaries-'));
  await cp(join(ROOT, 'package.json'), join(sandbox, 'package.json'));
  await symlink(join(ROOT, 'node_modules'), join(sandbox, 'node_modules'), 'dir');
  await copyProject('.');
  for (const folder of FOLDERS) {
    await mkdir(join(sandbox, folder));
    await copyProject(folder);
    await writeFile(join(sandbox, folder, 'own.ts'), `export const own = '${folder}';\n`);
  }
});

afterAll(() => rm(sandbox, { recursive: true, force: true }));

/** Build output goes beside the copy, so that the real incremental state is left alone. */
async function copyProject(folder: string): Promise<void> {
  const text = await readFile(join(ROOT, folder, 'tsconfig.json'), 'utf8');
  await writeFile(join(sandbox, folder, 'tsconfig.json'), text.replaceAll('node_modules/.cache', '.cache'));
}

async function compile(folder: string, source: string): Promise<string> {
  const path = join(sandbox, folder, 'probe.ts');
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, source);
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  try {
    return await new Promise((resolve) => {
      execFile(process.execPath, [tsc, '-b', folder, '--pretty', 'false'], { cwd: sandbox }, (_, stdout) =>
        resolve(stdout),
      );
    });
  } finally {
    await rm(path);
  }
}

test.each([
  ['sync', '#shared/own.ts'],
  ['server', '#shared/own.ts'],
  ['server', '#sync/own.ts'],
  ['client', '#shared/own.ts'],
  ['client', '#sync/own.ts'],
])('%s may import %s', async (folder, target) => {
  expect(await compile(folder, `export { own } from '${target}';\n`)).toBe('');
});

test.each([
  ['shared', '#sync/own.ts'],
  ['shared', '../server/own.ts'],
  ['shared', '../client/own.ts'],
  ['sync', '../server/own.ts'],
  ['sync', '../client/own.ts'],
  ['server', '../client/own.ts'],
  ['client', '../server/own.ts'],
])('the compiler refuses %s importing %s', async (folder, target) => {
  expect(await compile(folder, `export { own } from '${target}';\n`)).toMatch(/error TS(6059|6307)/);
});

test.each([
  ['shared', 'export const node = process.version;\n'],
  ['sync', 'export const page = document.title;\n'],
  ['client', 'export const node = process.version;\n'],
])('%s sees no globals of the other side', async (folder, source) => {
  expect(await compile(folder, source)).toMatch(/error TS(2304|2580|2584|2591)/);
});
