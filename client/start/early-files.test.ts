import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EARLY_MODULES, earlyFilesFor } from './early-files.ts';

const FILES = {
  files: ['fleet.js', 'host.js', 'shared.js', 'ask.js'],
  pages: { '': [0], hosts: [1, 2] },
  connection: [3, 2],
};

test('a start fetches its own page early, and the way to the collector only where no copy is', () => {
  expect(earlyFilesFor('/', true, FILES)).toEqual(['fleet.js']);
  expect(earlyFilesFor('/', false, FILES)).toEqual(['fleet.js', 'shared.js', 'ask.js']);
  expect(earlyFilesFor('/hosts/marlin', false, FILES)).toEqual(['host.js', 'shared.js', 'ask.js']);
});

test('an address that no page has fetches nothing early', () => {
  expect(earlyFilesFor('/elsewhere/x', true, FILES)).toEqual([]);
});

test('the modules are there', () => {
  const modules = [...Object.values(EARLY_MODULES.pages), ...EARLY_MODULES.connection];
  expect(modules.filter((module) => !existsSync(join(import.meta.dirname, '..', module)))).toEqual([]);
});
