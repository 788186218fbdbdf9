import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { droverYaml } from './drover-yaml.ts';

it('is published as a JSON schema that is up to date', () => {
  const path = join(import.meta.dirname, '..', '..', 'deploy', 'drover.schema.json');
  const schema = {
    ...z.toJSONSchema(droverYaml, { io: 'input' }),
    title: 'drover.yaml',
    description: 'Settings of Drover. A flag or an environment variable beats the file.',
  };
  // To write it anew after a change: print this value with two spaces of indentation into the file.
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(JSON.parse(JSON.stringify(schema)));
});
