import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { RECORDED_VERSIONS } from './recordings.ts';

const exchange = z.object({
  request: z.object({ path: z.string() }),
  response: z.object({ status: z.number(), body: z.string().optional() }).optional(),
});

/** A capture that a real llama-swap answered with. */
export interface RecordedCapture {
  readonly version: string;
  readonly path: string;
  readonly body: string;
}

/** Every capture in the recordings. */
export function readRecordedCaptures(): readonly RecordedCapture[] {
  return RECORDED_VERSIONS.flatMap((version) => {
    const file = new URL(`../emulator/recordings/${version}/http.ndjson`, import.meta.url);
    const lines = readFileSync(file, 'utf8').split('\n');
    const exchanges = lines
      .filter((line) => line.includes('/api/captures/'))
      .map((line) => exchange.parse(JSON.parse(line)));
    return exchanges
      .filter(
        ({ request, response }) => request.path.startsWith('/api/captures/') && response?.status === 200,
      )
      .map(({ request, response }) => ({ version, path: request.path, body: response?.body ?? '' }));
  });
}
