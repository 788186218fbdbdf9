import { must } from '#shared/lib/assert.ts';
import type { ActivityRow } from '#shared/schemas/activity.ts';
import type { ModelEvent } from '#shared/schemas/model.ts';
import { readConnections, type RECORDED_VERSIONS, type RecordedConnection } from './recordings.ts';

/** A version of llama-swap that was recorded. */
export type RecordedVersion = (typeof RECORDED_VERSIONS)[number];

/** Rows of each connection that the story has: start to reload, after it, after the bad config, restarts. */
export const STORY_ROWS: Readonly<Record<RecordedVersion, readonly string[]>> = {
  v150: ['0/0…12', '1/0', '2/0'],
  v200: ['0/0…22', '1/0', '2/0', '3/0'],
  v217: ['0/0…26', '1/0', '2/0', '3/0', '4/0'],
  v228: ['0/0…30', '1/0', '2/0', '3/0', '4/0'],
  v235: ['0/0…30', '1/0', '2/0', '3/0', '4/0'],
  // From v236 a reload keeps the rows and their count; a restart does not.
  v240: ['0/1…33', '1/1', '2/1'],
  v250: ['0/1…35', '1/1', '2/1'],
  main: ['0/1…35', '1/1', '2/1'],
};

/** What becomes of the model that runs out of memory, in every version. */
export const STORY_OUT_OF_MEMORY = [
  'stopped→starting',
  'starting→stopped (CUDA error: out of memory)',
  'stopped→starting',
  'starting→stopped (CUDA error: out of memory)',
];

/** A ready model whose process dies is stopped, whether the host says so (v218+) or only its log does. */
export const STORY_CRASH = ['stopped→starting', 'starting→ready', 'ready→stopped', 'stopped→starting'];

/** Its start was never healthy: v150 cannot unload one model, so it timed out; later ones were told to unload it. */
export function storyOfStuck(version: RecordedVersion): readonly string[] {
  const timedOut = version === 'v150' ? ' (The health check timed out after 15 s.)' : '';
  return ['stopped→starting', `starting→stopped${timedOut}`];
}

/** Versions whose rows outlive a reload. */
const KEEPS_ROWS: ReadonlySet<RecordedVersion> = new Set(['v240', 'v250', 'main']);

/** The connections a collector has one after the other; the second client beside it is left out. */
export function storyConnections(version: RecordedVersion): readonly RecordedConnection[] {
  return readConnections(version).filter(({ name }) => !name.endsWith('events-2.sse'));
}

/**
 * Whether the host has forgotten its rows when the stream ended: up to v235 a reload forgets as a restart does; from v236
 * the fourth connection is the last before one.
 */
export function forgetsRowsAfter(version: RecordedVersion, { name }: RecordedConnection): boolean {
  return !KEEPS_ROWS.has(version) || /events-[456]/.test(name);
}

/** Runs of ids by id epoch, such as `0/0…12`; throws where an id is missing or stands twice. */
export function rowRuns(rows: Iterable<ActivityRow | ModelEvent>): readonly string[] {
  const requests = [...rows].flatMap((row) => (row.type === 'request' ? [row] : []));
  const byEpoch = Map.groupBy(requests, (row) => row.idEpoch);
  return [...byEpoch.keys()]
    .sort((a, b) => a - b)
    .map((idEpoch) => {
      const ids = must(byEpoch.get(idEpoch), 'its rows')
        .map((row) => row.id)
        .sort((a, b) => a - b);
      const [first, last] = [must(ids[0], 'a first id'), must(ids.at(-1), 'a last id')];
      const wrong = ids.findIndex((id, index) => id !== first + index);
      if (wrong !== -1) throw new Error(`epoch ${idEpoch}: ${ids.join(' ')} is no run`);
      return first === last ? `${idEpoch}/${first}` : `${idEpoch}/${first}…${last}`;
    });
}

/** Transitions of one model in words, with the reason where there is one. */
export function transitionsOf(events: Iterable<ModelEvent>, modelId: string): readonly string[] {
  return [...events]
    .filter((event) => event.modelId === modelId)
    .map(({ from, to, reason }) => `${from ?? '?'}→${to}${reason === null ? '' : ` (${reason})`}`);
}
