import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { SETTINGS } from '../settings.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGES = globSync('{*.md,{bin,client,deploy,e2e,server,shared,sync}/**/*.md}', { cwd: ROOT });
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

test.each(PAGES)('every file that %s links to is there', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const targets = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target]) => target ?? '');
  const missing = targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => !existsSync(join(ROOT, dirname(page), target)));
  expect(missing).toEqual([]);
});

test('the README names every setting by its flag and its variable', () => {
  const names = Object.values(SETTINGS).flatMap(({ flag, env }) => [flag === null ? null : `--${flag}`, env]);
  expect(names.filter((name) => name !== null && !README.includes(`\`${name}\``))).toEqual([]);
});

test('the README names commands that exist', () => {
  const manifest: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const named = [...README.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name ?? '');
  expect(named.length).toBeGreaterThan(3);
  expect(manifest).toMatchObject({
    scripts: Object.fromEntries(named.map((name) => [name, expect.any(String)])),
  });
});
