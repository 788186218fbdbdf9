import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routes } from './http/routes.ts';
import { PROTOCOL_VERSION } from './protocol-version.ts';

const schemasDir = join(import.meta.dirname, 'schemas');

/** Short hash of a schema's shape: messages and descriptions do not count. */
function shapeOf(schema: z.core.$ZodType): string {
  const shape = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' });
  return createHash('sha256').update(JSON.stringify(shape)).digest('hex').slice(0, 12);
}

async function schemaShapes(): Promise<Record<string, string>> {
  const shapes: Record<string, string> = {};
  const files = readdirSync(schemasDir).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  for (const file of files.sort()) {
    const exported: Readonly<Record<string, unknown>> = await import(join(schemasDir, file));
    for (const name of Object.keys(exported).sort()) {
      const value = exported[name];
      if (value instanceof z.core.$ZodType) shapes[`${file.slice(0, -3)}.${name}`] = shapeOf(value);
    }
  }
  return shapes;
}

function routeShapes(): Record<string, string> {
  const shapes: Record<string, string> = {};
  for (const [name, { method, path, access, replies, ...rest }] of Object.entries(routes)) {
    const parts = Object.entries({ ...rest, ...replies }).map(([part, schema]) => {
      const shape: unknown = schema;
      return `${part} ${shape instanceof z.core.$ZodType ? shapeOf(shape) : String(shape)}`;
    });
    shapes[`route ${name}`] = [`${method} ${path} ${access}`, ...parts].join(', ');
  }
  return shapes;
}

describe('protocol version', () => {
  /**
   * Fails when what passes between client and server changed. If an older client can still read it (a new schema, an
   * added field), accept it with `vitest run shared/protocol-version.test.ts -u`; if not, raise `PROTOCOL_VERSION` too.
   */
  it('stands for exactly these shapes', async () => {
    const shapes = { version: PROTOCOL_VERSION, ...(await schemaShapes()), ...routeShapes() };
    expect(Object.keys(shapes).length).toBeGreaterThan(50);
    await expect(`${JSON.stringify(shapes, null, 2)}\n`).toMatchFileSnapshot('protocol-version.snap.json');
  });
});
