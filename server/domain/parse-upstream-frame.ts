import { boundedText } from '#shared/lib/bounded-text.ts';
import {
  activityNotice,
  eventFrame,
  logData,
  profileChanged,
  uiConfig,
} from '#shared/upstream/event-frame.ts';
import { inFlightMessage, upstreamInFlightRow } from '#shared/upstream/in-flight-message.ts';
import { readRows, type ReadRows } from '#shared/upstream/lenient.ts';
import { modelStatusRow } from '#shared/upstream/model-status.ts';
import { mapActivityRows } from './map-activity.ts';
import { mapInFlight } from './map-in-flight.ts';
import { mapModels } from './map-models.ts';
import { mapActiveProfile } from './map-profiles.ts';
import type { UpstreamEvent } from './upstream-event.ts';

const MAX_WORD = 64;
const MAX_SESSION_HEADERS = 16;

/** How a frame of logs starts, in every version: enough to leave it out without reading it. */
export const LOG_FRAME_START = '{"type":"logData"';

/**
 * The events of one message of `/api/events`, whatever the era; `text` is its `data`. Never throws: what cannot be read
 * is a `malformed` event, which holds no text of the host. Unreadable rows cost only themselves and are said in a
 * `malformed` event after the others, so there may be two. `sessionHeaders` as the last `ui-config` of the stream told.
 */
export function parseUpstreamFrame(
  text: string,
  sessionHeaders?: readonly string[],
): readonly UpstreamEvent[] {
  const frame = eventFrame.safeParse(parseJson(text));
  if (!frame.success) return malformed(`a message that is not an event (${text.length} characters)`);
  const type = boundedText(frame.data.type, MAX_WORD);
  const { data } = frame.data;
  const payload = typeof data === 'string' ? parseJson(data) : data;
  if (payload === NOT_JSON) return malformed(`${type}: data is not JSON (${text.length} characters)`);
  switch (type) {
    case 'logData':
      return parseLog(payload);
    case 'modelStatus':
      return parseModels(payload);
    case 'metrics':
      return parseMetrics(payload);
    case 'activity':
      return parseNotice(payload);
    case 'inflight':
      return parseInFlight(payload, sessionHeaders);
    case 'uiConfig':
      return parseUiConfig(payload);
    case 'profileChanged':
      return parseProfile(payload);
    default:
      return [{ type: 'unknown', word: type }];
  }
}

const NOT_JSON = Symbol('not JSON');

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return NOT_JSON;
  }
}

function malformed(detail: string): readonly UpstreamEvent[] {
  return [{ type: 'malformed', detail }];
}

function withUnreadable(event: UpstreamEvent, what: string, unreadable: number): readonly UpstreamEvent[] {
  return unreadable === 0 ? [event] : [event, ...malformed(`${what}: ${unreadable} rows could not be read`)];
}

/** A list of nothing we can read is no empty list: what was known stays. */
function hasOnlyUnreadable({ rows, unreadable }: ReadRows<unknown>): boolean {
  return rows.length === 0 && unreadable > 0;
}

function parseLog(payload: unknown): readonly UpstreamEvent[] {
  const log = logData.safeParse(payload);
  if (!log.success) return malformed('logData: no text');
  return [{ type: 'log', source: boundedText(log.data.source ?? '', MAX_WORD), text: log.data.data }];
}

function parseModels(payload: unknown): readonly UpstreamEvent[] {
  const read = readRows(modelStatusRow, payload);
  if (!read) return malformed('modelStatus: no list');
  if (hasOnlyUnreadable(read)) return malformed('modelStatus: no row could be read');
  return withUnreadable({ type: 'models', models: mapModels(read.rows) }, 'modelStatus', read.unreadable);
}

function parseMetrics(payload: unknown): readonly UpstreamEvent[] {
  // v140–v151 send one row, everything later a list.
  const isRow = typeof payload === 'object' && payload !== null && !Array.isArray(payload);
  const mapped = mapActivityRows(isRow ? [payload] : payload);
  if (!mapped) return malformed('metrics: no list');
  return withUnreadable({ type: 'activity-rows', rows: mapped.rows }, 'metrics', mapped.unreadable);
}

function parseNotice(payload: unknown): readonly UpstreamEvent[] {
  const notice = activityNotice.safeParse(payload);
  return notice.success ? [{ type: 'activity-id', id: notice.data.id }] : malformed('activity: no id');
}

function parseInFlight(
  payload: unknown,
  sessionHeaders: readonly string[] | undefined,
): readonly UpstreamEvent[] {
  const message = inFlightMessage.safeParse(payload);
  if (!message.success) return malformed('inflight: no object');
  const { operation, total, request, requests, id } = message.data;
  switch (operation) {
    case 'upsert': {
      const row = upstreamInFlightRow.safeParse(request);
      if (!row.success) return malformed('inflight: no request');
      return [{ type: 'in-flight-upsert', request: mapInFlight(row.data, sessionHeaders) }];
    }
    case 'remove': {
      const removed = upstreamInFlightRow.shape.id.safeParse(id);
      if (!removed.success) return malformed('inflight: no id');
      return [{ type: 'in-flight-remove', id: boundedText(removed.data, 128) }];
    }
    case 'snapshot':
      return parseSnapshot(requests, sessionHeaders);
    case null:
    case undefined:
      break;
    default:
      return [{ type: 'unknown', word: boundedText(`inflight ${operation}`, MAX_WORD) }];
  }
  if (requests !== undefined) return parseSnapshot(requests, sessionHeaders);
  return typeof total === 'number' ? [{ type: 'in-flight-total', total }] : malformed('inflight: no count');
}

function parseSnapshot(
  requests: unknown,
  sessionHeaders: readonly string[] | undefined,
): readonly UpstreamEvent[] {
  const read = readRows(upstreamInFlightRow, requests);
  if (!read) return malformed('inflight: no list');
  if (hasOnlyUnreadable(read)) return malformed('inflight: no row could be read');
  const mapped = read.rows.map((row) => mapInFlight(row, sessionHeaders));
  const snapshot: UpstreamEvent = { type: 'in-flight-snapshot', requests: mapped };
  return withUnreadable(snapshot, 'inflight', read.unreadable);
}

function parseUiConfig(payload: unknown): readonly UpstreamEvent[] {
  const config = uiConfig.safeParse(payload);
  if (!config.success) return malformed('uiConfig: no object');
  const names = (config.data.activity?.session_id ?? []).filter((name) => typeof name === 'string');
  const sessionHeaders = names.slice(0, MAX_SESSION_HEADERS).map((name) => boundedText(name, MAX_WORD));
  return [{ type: 'ui-config', sessionHeaders }];
}

function parseProfile(payload: unknown): readonly UpstreamEvent[] {
  const profile = profileChanged.safeParse(payload);
  if (!profile.success) return malformed('profileChanged: no name');
  const { active } = profile.data;
  return [{ type: 'profile', active: mapActiveProfile(active) }];
}
