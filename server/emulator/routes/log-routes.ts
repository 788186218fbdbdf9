import type { EraTraits } from '../era.ts';
import type { LogSource } from '../logs.ts';
import { errorAnswer, redirect, textAnswer } from '../wire/answer.ts';
import { decodePath } from '../wire/http-exchange.ts';
import type { Route, RouteContext } from './route.ts';

/** Plain-text logs. */
export function logRoutes(): readonly Route[] {
  return [
    { method: 'GET', pattern: '/logs', auth: true, handle: history },
    { method: 'GET', pattern: '/logs/stream', auth: true, handle: stream },
    { method: 'GET', pattern: '/logs/stream/*', auth: true, handle: stream },
  ];
}

function history({ host, exchange }: RouteContext): void {
  if (exchange.accept.includes('text/html')) return exchange.send(redirect('/ui/', 302));
  const text = host.traits.logs.perModel === 'none' ? mixed(host) : host.logs.history('proxy');
  exchange.send(textAnswer(text, 'text/plain'));
}

function stream({ host, exchange, rest }: RouteContext): void {
  const { traits, logs } = host;
  const headers = {
    'Content-Type': 'text/plain',
    ...(traits.accelBuffering ? { 'X-Accel-Buffering': 'no' } : {}),
    'X-Content-Type-Options': 'nosniff',
  };
  const target = findTarget(host, rest);
  if (target === null) {
    // The stream's headers were set already, so the error comes chunked and under them.
    const {
      status,
      body,
      headers: own,
    } = errorAnswer(traits, exchange.accept, { status: 400, message: usage(traits) });
    const type = traits.server === 'gin' ? 'text/plain' : (own['Content-Type'] ?? 'text/plain');
    const text = traits.server === 'gin' ? usage(traits) : body;
    exchange.head(status, { ...headers, 'Content-Type': type }, false);
    exchange.write(text);
    return exchange.end();
  }
  // No headers before the first byte: an idle log keeps its client waiting for them.
  let begun = false;
  const write = (text: string): void => {
    if (!begun) exchange.head(200, headers, false);
    begun = true;
    exchange.write(text);
  };
  const stop = logs.listen((source, text, modelId) => {
    if (target.matches(source, modelId)) write(text);
  });
  exchange.response.on('close', stop);
  if (!exchange.url.searchParams.has('no-history')) {
    const text = target.history();
    if (text !== '') write(text);
  }
}

interface Target {
  readonly matches: (source: LogSource, modelId: string | null) => boolean;
  readonly history: () => string;
}

function findTarget(host: RouteContext['host'], rest: string): Target | null {
  const { traits, logs } = host;
  const name = decodePath(rest);
  if (name === '') {
    return traits.logs.perModel === 'none'
      ? { matches: () => true, history: () => mixed(host) }
      : { matches: (source) => source === 'proxy', history: () => logs.history('proxy') };
  }
  const sources: readonly LogSource[] = traits.logs.eventsRoute
    ? ['proxy', 'upstream', 'http']
    : ['proxy', 'upstream'];
  const known = sources.find((source) => source === name);
  if (known) return { matches: (source) => source === known, history: () => logs.history(known) };
  const resolved = host.resolve(name);
  if (traits.logs.perModel === 'none' || resolved.kind !== 'model') return null;
  const { modelId } = resolved;
  return {
    matches: (_, from) => from === modelId,
    history: () => logs.modelHistory(modelId),
  };
}

function mixed(host: RouteContext['host']): string {
  return host.logs.history('proxy') + host.logs.history('upstream');
}

function usage(traits: EraTraits): string {
  if (traits.logs.perModel === 'none') return "invalid logger. Use 'proxy' or 'upstream'";
  return traits.logs.eventsRoute
    ? "invalid logger. Use 'proxy', 'upstream', 'http' or a model's ID"
    : "invalid logger. Use 'proxy', 'upstream' or a model's ID";
}
