import { readFileSync, readdirSync } from 'node:fs';
import { z } from 'zod';
import { must } from '#shared/lib/assert.ts';

const folder = new URL('../emulator/recordings/', import.meta.url);

/** Versions of llama-swap that were recorded. */
export const RECORDED_VERSIONS = ['v150', 'v200', 'v217', 'v228', 'v235', 'v240', 'v250', 'main'] as const;

/** One recorded connection to `/api/events`: its bytes, whole and as they arrived, with the time of each chunk. */
export interface RecordedConnection {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly chunks: readonly Uint8Array[];
  /** Milliseconds since the run began. */
  readonly chunkTimes: readonly number[];
  /** `server end`, or the error that cut it. */
  readonly closedBy: string;
}

const connectionFile = z.object({
  chunks: z.array(z.tuple([z.number(), z.number()])),
  closedBy: z.string(),
});

const headers = z.record(z.string(), z.union([z.string(), z.number().transform(String)]));
const exchange = z.object({
  request: z.object({ method: z.string(), path: z.string(), headers }),
  response: z
    .object({
      status: z.number().nullish(),
      headers: headers.nullish(),
      body: z.string().nullish(),
    })
    .optional(),
});
/** One recorded request and its answer; without one where the client gave up. */
export type RecordedExchange = z.infer<typeof exchange>;

/** The event streams of a recording, in order. */
export function readConnections(version: string): readonly RecordedConnection[] {
  const directory = new URL(`${version}/`, folder);
  const files = readdirSync(directory).filter((file) => file.endsWith('.sse'));
  return files.sort().map((file) => {
    const bytes = readFileSync(new URL(file, directory));
    const meta = connectionFile.parse(
      JSON.parse(readFileSync(new URL(file.replace('.sse', '.json'), directory), 'utf8')),
    );
    const offsets = meta.chunks.map(([, offset]) => offset);
    const chunks = offsets.map((offset, index) => bytes.subarray(offset, offsets[index + 1] ?? bytes.length));
    const chunkTimes = meta.chunks.map(([at]) => at);
    return { name: `${version}/${file}`, bytes, chunks, chunkTimes, closedBy: meta.closedBy };
  });
}

/** The HTTP exchanges of a recording, in order. */
export function readExchanges(version: string): readonly RecordedExchange[] {
  const text = readFileSync(new URL(`${version}/http.ndjson`, folder), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => exchange.parse(JSON.parse(line)));
}

/** The body of the last answer to `GET path` with `status`. */
export function recordedBody(version: string, path: string, status = 200): string {
  const found = readExchanges(version).findLast(
    ({ request, response }) =>
      request.method === 'GET' && request.path === path && response?.status === status,
  );
  return must(found?.response?.body, `${version} GET ${path}`);
}
