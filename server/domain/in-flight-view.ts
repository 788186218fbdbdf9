import type { InFlight } from '#shared/schemas/in-flight.ts';
import type { ObservedActivity, ObservedInFlight, UpstreamEvent } from './upstream-event.ts';

/** A row whose removal was lost is dropped when nothing was heard of it for this long. */
const SILENT_ROW_MS = 1_800_000;
/** A row that its own activity row says is over gets this long for its removal to arrive. */
const ENDED_ROW_MS = 5_000;
/** Hosts report end times in whole seconds (v236+), so a start computed from them is off by up to one. */
const START_TOLERANCE_MS = 1_500;
/** Rows kept per host; more than this is not a screen any more. */
const MAX_ROWS = 1_000;

interface Row {
  readonly request: ObservedInFlight;
  readonly observedAt: number;
  readonly endedAt: number | null;
}

/** What runs on a host, as far as one connection has told: it starts empty with each. */
export interface InFlightView {
  /** A number only (v192–v234); null while none came. */
  readonly total: number | null;
  /** Rows (v235+); null while none came. */
  readonly rows: ReadonlyMap<string, Row> | null;
}

/** Messages that change what runs. */
export type InFlightEvent = Extract<UpstreamEvent, { readonly type: `in-flight-${string}` }>;

/** Nothing is known: the state of every new connection. */
export const emptyInFlight: InFlightView = { total: null, rows: null };

/** Takes one message of any of the three forms. */
export function observeInFlight(view: InFlightView, event: InFlightEvent, now: number): InFlightView {
  switch (event.type) {
    case 'in-flight-total':
      return { ...view, total: event.total };
    case 'in-flight-snapshot': {
      const kept = event.requests
        .slice(0, MAX_ROWS)
        .map((request): [string, Row] => [request.id, fresh(request, now)]);
      return { total: event.requests.length, rows: new Map(kept) };
    }
    case 'in-flight-upsert': {
      const rows = new Map(view.rows);
      if (rows.size < MAX_ROWS || rows.has(event.request.id))
        rows.set(event.request.id, fresh(event.request, now));
      return { total: null, rows };
    }
    case 'in-flight-remove': {
      if (!view.rows?.has(event.id)) return view;
      const rows = new Map(view.rows);
      rows.delete(event.id);
      return { total: null, rows };
    }
  }
}

/** Marks the row that an activity row ended, when there is exactly one it can be: no id links the two. */
export function endByActivity(view: InFlightView, activity: ObservedActivity, now: number): InFlightView {
  if (!view.rows || activity.durationMs === null) return view;
  const startedAt = activity.endedAt - activity.durationMs;
  const candidates = [...view.rows.values()].filter(
    ({ request }) =>
      request.modelId === activity.modelId &&
      (request.path === null || activity.path === null || request.path === activity.path) &&
      request.startedAtHost !== null &&
      Math.abs(request.startedAtHost - startedAt) <= START_TOLERANCE_MS,
  );
  const [only, second] = candidates;
  if (!only || second) return view;
  return { ...view, rows: new Map(view.rows).set(only.request.id, { ...only, endedAt: now }) };
}

/** Drops rows whose removal was lost. */
export function ageInFlight(view: InFlightView, now: number): InFlightView {
  if (!view.rows) return view;
  const kept = [...view.rows].filter(
    ([, row]) =>
      now - row.observedAt < SILENT_ROW_MS && (row.endedAt === null || now - row.endedAt < ENDED_ROW_MS),
  );
  return kept.length === view.rows.size ? view : { total: null, rows: new Map(kept) };
}

/** Of which host, whether its numbers mean something (v218+), and its clock's distance where it is known. */
export interface InFlightContext {
  readonly hostId: string;
  readonly trusted: boolean;
  readonly clockOffsetMs: number | null;
  readonly now: number;
}

/** What is shown: before v218 the number on the wire is meaningless, so it is not known. Null: nothing was said yet. */
export function inFlightOf(view: InFlightView, options: InFlightContext): InFlight | null {
  if (view.total === null && view.rows === null) return null;
  const { hostId, trusted, clockOffsetMs, now } = options;
  // Only hosts since v235 send rows, so rows are to be trusted whatever else is known of the host.
  if (!trusted && view.rows === null) return { hostId, total: null, requests: null, observedAt: now };
  const requests =
    view.rows &&
    [...view.rows.values()].map(({ request, observedAt }) => ({
      id: request.id,
      modelId: request.modelId,
      path: request.path,
      method: request.method,
      elapsedMs: elapsedOf(request, observedAt, clockOffsetMs),
      observedAt,
      source: request.source,
      ...(request.responseBytes === null ? {} : { responseBytes: request.responseBytes }),
    }));
  return { hostId, total: view.total ?? requests?.length ?? null, requests, observedAt: now };
}

/** Hosts before v240 tell the start only, on their own clock. */
function elapsedOf(
  request: ObservedInFlight,
  observedAt: number,
  clockOffsetMs: number | null,
): number | null {
  if (request.elapsedMs !== null) return request.elapsedMs;
  if (request.startedAtHost === null || clockOffsetMs === null) return null;
  return Math.max(0, Math.round(observedAt - clockOffsetMs - request.startedAtHost));
}

function fresh(request: ObservedInFlight, now: number): Row {
  return { request, observedAt: now, endedAt: null };
}
