import { presenceReport } from '#shared/schemas/live.ts';
import type { LivePerson, LivePresence, PresenceReport } from '#shared/schemas/live.ts';
import { CorruptBytesError } from './bytes.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';

/** Who looks at a host now, whole. */
export interface PresencePatch {
  readonly index: number;
  readonly value: Omit<LivePresence, 'hostId'>;
}

/** Longest report that is read: a model id is its largest part. */
const REPORT_LIMIT = 8 * 1024;
const MAX_TIME = 8.64e15;
const PREPARES = { nothing: 0, action: 1, modelAction: 2 } as const;

/** Reads the body of a presence frame (after its kind); null when it is none. */
export function parsePresence(input: ByteReader): PresenceReport | null {
  if (input.remaining > REPORT_LIMIT) return null;
  try {
    return presenceReport.safeParse(JSON.parse(input.string())).data ?? null;
  } catch {
    return null;
  }
}

/** Each host's people whole. */
export function writePresences(out: ByteWriter, at: number, patches: readonly PresencePatch[]): void {
  for (const { index, value } of patches) {
    out.uint(index);
    out.uint(value.more);
    out.uint(value.people.length);
    for (const person of value.people) {
      out.string(person.deviceId);
      out.string(person.label);
      out.int(at - person.since);
      writePreparing(out, person.preparing);
    }
  }
}

/** Reads to the end what {@link writePresences} wrote. */
export function readPresences(input: ByteReader, at: number): PresencePatch[] {
  const patches: PresencePatch[] = [];
  while (input.remaining > 0) {
    const index = input.uint();
    const more = input.uint();
    const count = input.uint();
    // A person takes at least four numbers.
    if (count * 4 > input.remaining) throw new CorruptBytesError('more people than bytes');
    patches.push({
      index,
      value: { more, people: Array.from({ length: count }, () => readPerson(input, at)) },
    });
  }
  return patches;
}

function readPerson(input: ByteReader, at: number): LivePerson {
  const deviceId = input.string();
  const label = input.string();
  const since = at - input.int();
  if (Math.abs(since) > MAX_TIME) throw new CorruptBytesError('a time is out of range');
  return { deviceId, label, since, preparing: readPreparing(input) };
}

function writePreparing(out: ByteWriter, preparing: LivePerson['preparing']): void {
  if (preparing === null) {
    out.uint(PREPARES.nothing);
    return;
  }
  const { kind, modelId } = preparing;
  out.uint(modelId === null ? PREPARES.action : PREPARES.modelAction);
  out.string(kind);
  if (modelId !== null) out.string(modelId);
}

function readPreparing(input: ByteReader): LivePerson['preparing'] {
  const what = input.uint();
  if (what === PREPARES.nothing) return null;
  if (what > PREPARES.modelAction) throw new CorruptBytesError('an unknown way to prepare');
  return { kind: input.string(), modelId: what === PREPARES.modelAction ? input.string() : null };
}
