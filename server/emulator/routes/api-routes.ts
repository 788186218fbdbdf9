import { activityPage, activityStats } from '../activity-pages.ts';
import { connectMessages } from '../connect-messages.ts';
import type { EraTraits } from '../era.ts';
import { LOG_STREAMS } from '../log-events.ts';
import type { LogSource } from '../logs.ts';
import { alwaysJsonError, errorAnswer, jsonAnswer, textAnswer } from '../wire/answer.ts';
import { goJson, parseRfc3339 } from '../wire/go-format.ts';
import { decodePath } from '../wire/http-exchange.ts';
import type { HttpExchange } from '../wire/http-exchange.ts';
import { prometheusText } from '../prometheus.ts';
import type { Route, RouteContext } from './route.ts';

/** Routes under `/api`, and Prometheus. */
export function apiRoutes(traits: EraTraits): readonly Route[] {
  const get = (pattern: string, handle: Route['handle'], auth = true): Route => ({
    method: 'GET',
    pattern,
    auth,
    handle,
  });
  return [
    get('/api/events', openEvents),
    ...(traits.logs.eventsRoute ? [get('/api/events/logs', openLogEvents)] : []),
    ...(traits.version === null ? [] : [get('/api/version', version)]),
    ...(traits.activityListing === 'ring'
      ? [get('/api/metrics', ring)]
      : [get('/api/metrics/activity', page), get('/api/metrics/stats', stats)]),
    ...(traits.performance === 'none'
      ? []
      : [get('/api/performance', performance), get('/metrics', prometheus, !traits.metricsOpen)]),
    ...(traits.captures === null ? [] : [{ ...get('/api/captures/*', capture), oneSegment: true }]),
    ...(traits.hardware ? [get('/api/hardware', hardware)] : []),
    ...(traits.profiles
      ? [
          get('/api/profiles', profiles),
          { method: 'PUT', pattern: '/api/profiles/active', auth: true, handle: setProfile } as const,
        ]
      : []),
    ...(traits.cancel
      ? [{ method: 'POST', pattern: '/api/inflight/*', auth: true, handle: cancel } as const]
      : []),
    ...(traits.toolRoutes
      ? [
          get('/api/tailcat', tailcat),
          { method: 'POST', pattern: '/api/mcp', auth: true, handle: mcpDisabled } as const,
        ]
      : []),
  ];
}

const SSE_HEADERS = {
  'Cache-Control': 'no-cache',
  Connection: 'keep-alive',
  'Content-Type': 'text/event-stream',
  'X-Content-Type-Options': 'nosniff',
};

function openEvents({ host, exchange }: RouteContext): void {
  const send = beginStream(host.traits, exchange, (onClose) => host.hub.add(exchange.response, onClose));
  for (const [type, dataJson] of connectMessages(host)) send(type, dataJson);
}

function openLogEvents({ host, exchange }: RouteContext): void {
  const wanted = exchange.url.searchParams.getAll('stream');
  const refuse = (message: string): void =>
    exchange.send(errorAnswer(host.traits, exchange.accept, { status: 400, message }));
  if (wanted.length === 0) return refuse('at least one stream is required: proxy, upstream or http');
  const sources = new Set<LogSource>();
  for (const name of wanted) {
    const source = LOG_STREAMS.find((known) => known === name);
    if (!source) return refuse(`invalid stream "${name}". Use proxy, upstream or http`);
    sources.add(source);
  }
  beginStream(host.traits, exchange, (onClose) =>
    host.logEvents.open(
      exchange.response,
      { sources, history: !exchange.url.searchParams.has('no-history') },
      onClose,
    ),
  );
}

/** Sets the headers of an event stream; they leave with the first frame. */
function beginStream<T>(
  traits: EraTraits,
  exchange: HttpExchange,
  open: (onClose: (bytes: number) => void) => T,
): T {
  exchange.head(
    200,
    { ...SSE_HEADERS, ...(traits.accelBuffering ? { 'X-Accel-Buffering': 'no' } : {}) },
    false,
  );
  return open((bytes) => {
    exchange.bytes = bytes;
  });
}

function version({ host, exchange }: RouteContext): void {
  const {
    version: text,
    commit,
    build_date,
  } = host.traits.version ?? { version: '0', commit: '', build_date: '' };
  exchange.send(jsonAnswer(host.traits, { build_date, commit, version: text }));
}

function ring({ host, exchange }: RouteContext): void {
  const { rows } = host.activity;
  const body =
    rows.length === 0 && host.traits.emptyRingIsNull
      ? 'null'
      : goJson(rows.map((row) => host.activity.wire(row)));
  exchange.send(textAnswer(body, 'application/json'));
}

function page({ host, exchange }: RouteContext): void {
  const result = activityPage(host.activity, exchange.url.searchParams, host.traits);
  exchange.send(
    result.ok
      ? jsonAnswer(host.traits, result.value)
      : errorAnswer(host.traits, exchange.accept, { status: 400, message: result.message }),
  );
}

function stats({ host, exchange }: RouteContext): void {
  const model = exchange.url.searchParams.get('model');
  exchange.send(jsonAnswer(host.traits, activityStats(host.activity.rows, model, host.traits)));
}

function performance({ host, exchange }: RouteContext): void {
  const { traits } = host;
  if (!host.config.performance.enabled) {
    return exchange.send(
      traits.performance === 'with-enabled'
        ? { ...jsonAnswer(traits, { enabled: false }), status: 503 }
        : alwaysJsonError(traits, exchange.accept, 503, 'performance monitor not available'),
    );
  }
  const text = exchange.url.searchParams.get('after');
  const after = text === null ? null : parseRfc3339(text);
  if (text !== null && after === null) {
    return exchange.send(
      alwaysJsonError(traits, exchange.accept, 400, "invalid 'after' timestamp, use RFC3339 format"),
    );
  }
  exchange.send(jsonAnswer(traits, host.performance.body(after)));
}

function prometheus({ host, exchange }: RouteContext): void {
  exchange.send(textAnswer(prometheusText(host.performance), 'text/plain; version=0.0.4; charset=utf-8'));
}

function capture({ host, exchange, rest }: RouteContext): void {
  const refuse = (status: number, message: string): void =>
    exchange.send(alwaysJsonError(host.traits, exchange.accept, status, message));
  if (!/^-?\d+$/.test(rest)) return refuse(400, 'invalid capture ID');
  const body = host.captures.wire(Number(rest));
  if (!body) return refuse(404, 'capture not found');
  exchange.send(textAnswer(goJson(body), host.traits.captures?.contentType));
}

function hardware({ host, exchange }: RouteContext): void {
  exchange.send(jsonAnswer(host.traits, host.hardware));
}

function profiles({ host, exchange }: RouteContext): void {
  const list = [...host.config.profiles].sort((a, b) => (a.id < b.id ? -1 : 1));
  exchange.send(jsonAnswer(host.traits, { active: host.profile, profiles: list }));
}

async function setProfile({ host, exchange }: RouteContext): Promise<void> {
  const refuse = (status: number, message: string): void =>
    exchange.send(errorAnswer(host.traits, exchange.accept, { status, message }));
  const body = parseObject(await exchange.body());
  if (body === null) return refuse(400, 'invalid profile request');
  if (!('name' in body)) return refuse(400, 'profile name is required');
  const { name } = body;
  if (name !== null && typeof name !== 'string') return refuse(400, 'profile name must be a string or null');
  const wanted = name === '' ? null : name;
  if (wanted !== null && !host.config.profiles.some(({ id }) => id === wanted)) {
    return refuse(404, `profile "${wanted}" not found`);
  }
  host.setProfile(wanted);
  exchange.send(jsonAnswer(host.traits, { active: wanted }));
}

function cancel({ host, exchange, rest }: RouteContext): void {
  const id = rest.endsWith('/cancel') ? rest.slice(0, -'/cancel'.length) : '';
  exchange.send(
    host.inFlight.cancel(decodePath(id))
      ? jsonAnswer(host.traits, { msg: 'ok' })
      : errorAnswer(host.traits, exchange.accept, { status: 404, message: 'inflight request not found' }),
  );
}

function tailcat({ host, exchange }: RouteContext): void {
  exchange.send(jsonAnswer(host.traits, { enabled: false, address: '', models: [] }));
}

function mcpDisabled({ host, exchange }: RouteContext): void {
  exchange.send({ ...jsonAnswer(host.traits, { enabled: false }), status: 503 });
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
