import type { ActivityRequest } from '#shared/schemas/activity.ts';

/** A request that was seen running, as far as it can be told from others. Durations are the host's own. */
export interface RunningSeen {
  readonly key: string;
  readonly modelId: string;
  readonly path: string | null;
  /** On the host's clock; null: it cannot be told apart by its start. */
  readonly startedAt: number | null;
  /** How long it ran: when `ended` in all, else so far; null: the host does not say. */
  readonly ranMs: number | null;
  readonly ended: boolean;
  /** Whom it came from; null: its headers and address say nothing. */
  readonly source: string | null;
  /** A header named the source: worth more than an address that the host itself tells. */
  readonly isNamed: boolean;
}

/** What of an ended request tells it from others; times are the host's. */
export interface EndedRequest {
  readonly modelId: string;
  readonly path: string | null;
  readonly endedAt: number;
  readonly durationMs: number | null;
}

/**
 * What was found for an ended request. `source` is the one it has in every one-to-one assignment of ended to running
 * requests; `undecided`: it has more than one now, but one only if those that still run are not it.
 */
export interface SourceMatch {
  readonly source: string | null;
  readonly isNamed: boolean;
  /** The only running request it can have been; null when there are more, or none. */
  readonly key: string | null;
  readonly undecided: boolean;
}

/** Between the start of a request and what its row says of it: both are told by one process. */
const START_TOLERANCE_MS = 300;
/** Hosts since v236 cut the end time of a row to the second. */
const SECOND_MS = 1_000;
/** Between how long a request ran by its messages as they arrive here, and its row: the last of them may come late. */
const RAN_LONGER_MS = 800;
const RAN_SHORTER_MS = 400;
/** A request that still runs so long after a row's end is not that row's: its removal would have come. */
const REMOVAL_LAG_MS = 400;
/** Larger knots of requests that could all be each other are not looked into. */
const MAX_KNOT = 40;

const NONE: SourceMatch = { source: null, isNamed: false, key: null, undecided: false };

/**
 * Finds whom ended requests came from. No id links the two, so everything that fits by model, path, start and duration is a
 * candidate, each for one row only. A row gets a source when it has the same one in all assignments that give every row a
 * candidate of its own: right as long as each request was seen running, and never a choice between two. The order of the
 * arguments does not matter.
 */
export function matchSources(
  rows: readonly EndedRequest[],
  running: readonly RunningSeen[],
): readonly SourceMatch[] {
  const ofModel = Map.groupBy(running.keys(), (index) => running[index]?.modelId);
  const candidates = rows.map((row) =>
    (ofModel.get(row.modelId) ?? []).filter((index) => {
      const seen = running[index];
      return seen !== undefined && canBe(row, seen);
    }),
  );
  const matches = rows.map(() => NONE);
  for (const knot of knotsOf(candidates)) {
    const taken = new Set(knot.flatMap((row) => candidates[row] ?? []));
    const tooLarge = knot.length > MAX_KNOT || taken.size > MAX_KNOT;
    if (tooLarge || knot.length > taken.size) continue;
    for (const row of knot) matches[row] = matchIn(row, knot, { candidates, running });
  }
  return matches;
}

function canBe(row: EndedRequest, seen: RunningSeen): boolean {
  if (row.durationMs === null) return false;
  if (seen.path !== null && row.path !== null && seen.path !== row.path) return false;
  const longerMs = seen.ranMs === null ? 0 : seen.ranMs - row.durationMs;
  if (seen.ended && (longerMs > RAN_LONGER_MS || longerMs < -RAN_SHORTER_MS)) return false;
  if (!seen.ended && longerMs > REMOVAL_LAG_MS) return false;
  // Without a start it may be any request of its model: it stands in the way of others, and is never the answer.
  if (seen.startedAt === null) return true;
  const lateMs = seen.startedAt - (row.endedAt - row.durationMs);
  const roundedMs = row.endedAt % SECOND_MS === 0 ? SECOND_MS : 0;
  return lateMs >= -START_TOLERANCE_MS && lateMs <= roundedMs + START_TOLERANCE_MS;
}

/**
 * A row with what was found for it. What the host itself recorded of it (`exact`) gives way to a name that its caller gave, not
 * to the address, which is the same and less sure.
 */
export function withSource<Row extends Pick<ActivityRequest, 'source' | 'sourceCertainty'>>(
  row: Row,
  match: SourceMatch,
): Row {
  const isBetter = match.source !== null && (match.isNamed || row.source === null);
  return isBetter ? { ...row, source: match.source, sourceCertainty: 'matched' } : row;
}

/** Rows that share candidates, directly or over others. */
function knotsOf(candidates: readonly (readonly number[])[]): number[][] {
  const rowsOf = new Map<number, number[]>();
  for (const [row, list] of candidates.entries()) {
    for (const candidate of list) {
      const rows = rowsOf.get(candidate);
      if (rows) rows.push(row);
      else rowsOf.set(candidate, [row]);
    }
  }
  const seen = new Set<number>();
  return [...candidates.keys()].flatMap((first) => {
    if (seen.has(first)) return [];
    const knot = [first];
    seen.add(first);
    for (const row of knot) {
      for (const candidate of candidates[row] ?? []) {
        const others = rowsOf.get(candidate) ?? [];
        // Each candidate is followed once.
        rowsOf.delete(candidate);
        for (const other of others) {
          if (seen.has(other)) continue;
          seen.add(other);
          knot.push(other);
        }
      }
    }
    return [knot];
  });
}

interface Graph {
  readonly candidates: readonly (readonly number[])[];
  readonly running: readonly RunningSeen[];
}

function matchIn(row: number, knot: readonly number[], { candidates, running }: Graph): SourceMatch {
  const others = knot.filter((other) => other !== row);
  const possible = (candidates[row] ?? [])
    .filter((candidate) => everyoneHasOne(others, candidates, candidate))
    .flatMap((candidate) => running[candidate] ?? []);
  const [first, second] = possible;
  if (!first) return NONE;
  if (!comeFromOne(possible)) {
    const ended = possible.filter((seen) => seen.ended);
    return { ...NONE, undecided: ended.length > 0 && comeFromOne(ended) };
  }
  const key = second === undefined ? first.key : null;
  return { source: first.source, isNamed: first.isNamed, key, undecided: false };
}

function comeFromOne(possible: readonly RunningSeen[]): boolean {
  return possible.every(
    (seen) =>
      seen.startedAt !== null && seen.source === possible[0]?.source && seen.isNamed === possible[0].isNamed,
  );
}

/** Whether each of `rows` can still have a candidate of its own when one is taken: augmenting paths. */
function everyoneHasOne(
  rows: readonly number[],
  candidates: readonly (readonly number[])[],
  taken: number,
): boolean {
  const owner = new Map<number, number>();
  const place = (row: number, tried: Set<number>): boolean =>
    (candidates[row] ?? []).some((candidate) => {
      if (candidate === taken || tried.has(candidate)) return false;
      tried.add(candidate);
      const held = owner.get(candidate);
      if (held !== undefined && !place(held, tried)) return false;
      owner.set(candidate, row);
      return true;
    });
  return rows.every((row) => place(row, new Set()));
}
