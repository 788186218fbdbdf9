import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PAGE_MODULES, earlyFilesFor } from './early-files.ts';

const FILES = { files: ['fleet.js', 'host.js', 'shared.js'], pages: { '': [0], hosts: [1, 2] } };

test('a start fetches its own page early, and no other', () => {
  expect(earlyFilesFor('/', FILES)).toEqual(['fleet.js']);
  expect(earlyFilesFor('/hosts/marlin', FILES)).toEqual(['host.js', 'shared.js']);
});

test('an address that no page has fetches nothing early', () => {
  expect(earlyFilesFor('/elsewhere/x', FILES)).toEqual([]);
});

test('the modules are there', () => {
  const missing = Object.values(PAGE_MODULES).filter(
    (module) => !existsSync(join(import.meta.dirname, '..', module)),
  );
  expect(missing).toEqual([]);
});
