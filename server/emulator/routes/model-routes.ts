import type { Caller } from '../caller.ts';
import type { EraTraits } from '../era.ts';
import { modelsBody, runningBody } from '../model-listing.ts';
import { modelOfBody } from '../request-facts.ts';
import { serve } from '../serve.ts';

import { errorAnswer, jsonAnswer, redirect, textAnswer } from '../wire/answer.ts';
import { decodePath } from '../wire/http-exchange.ts';
import type { HttpExchange } from '../wire/http-exchange.ts';
import type { Route, RouteContext } from './route.ts';

/** Models, unloading, inference and everything that reaches a model's process. */
export function modelRoutes(traits: EraTraits): readonly Route[] {
  const get = (pattern: string, handle: Route['handle'], auth = true): Route => ({
    method: 'GET',
    pattern,
    auth,
    handle,
  });
  const post = (pattern: string, handle: Route['handle']): Route => ({
    method: 'POST',
    pattern,
    auth: true,
    handle,
  });
  return [
    get('/v1/models', models),
    ...(traits.models.bareRoute ? [get('/models', models)] : []),
    get('/running', running),
    get('/unload', unloadAllOk),
    post('/api/models/unload', unloadAll),
    ...(traits.unloadOne ? [post('/api/models/unload/*', unloadOne)] : []),
    get('/health', ok, false),
    ...(traits.wolHealth ? [get('/wol-health', ok, false)] : []),
    get('/', ({ exchange }) => exchange.send(redirect('/ui', 302)), false),
    get('/ui', ({ exchange }) => exchange.send(redirect('/ui/', 301)), !traits.uiOpen),
    get('/ui/', ui, !traits.uiOpen),
    get('/ui/*', ui, !traits.uiOpen),
    get('/favicon.ico', ({ exchange }) => exchange.send(textAnswer('', 'image/x-icon')), false),
    get('/upstream', ({ exchange }) => exchange.send(redirect('/ui/models', 302)), false),
    { method: 'ANY', pattern: '/upstream/*', auth: true, handle: upstream },
    ...traits.inferenceRoutes.map((pattern) => post(pattern, inference)),
  ];
}

function models({ host, exchange }: RouteContext): void {
  const type = host.traits.server === 'gin' ? 'application/json; charset=utf-8' : 'application/json';
  const origin = exchange.header('origin');
  exchange.send(
    textAnswer(modelsBody(host), type),
    origin === null || host.traits.allowAnyOrigin ? {} : { 'Access-Control-Allow-Origin': origin },
  );
}

function running({ host, exchange }: RouteContext): void {
  exchange.send(textAnswer(runningBody(host), 'application/json'));
}

async function unloadAllOk({ host, exchange }: RouteContext): Promise<void> {
  await host.router.unloadAll('unload');
  exchange.send(textAnswer('OK'));
}

async function unloadAll({ host, exchange }: RouteContext): Promise<void> {
  await host.router.unloadAll('unload');
  exchange.send(jsonAnswer(host.traits, { msg: 'ok' }));
}

async function unloadOne({ host, exchange, rest }: RouteContext): Promise<void> {
  const resolved = host.resolve(decodePath(rest));
  // Selectors and peers cannot be unloaded.
  if (resolved.kind !== 'model' || resolved.selector !== null) {
    const message = host.traits.server === 'gin' ? 'Model not found' : 'model not found';
    return exchange.send(errorAnswer(host.traits, exchange.accept, { status: 404, message }));
  }
  await host.router.unload(resolved.modelId, 'unload');
  exchange.send(textAnswer('OK'));
}

function ok({ exchange }: RouteContext): void {
  exchange.send(textAnswer('OK'));
}

function ui({ exchange }: RouteContext): void {
  exchange.send(textAnswer('<html></html>\n', 'text/html; charset=utf-8'), { 'Accept-Ranges': 'bytes' });
}

async function inference({ host, exchange }: RouteContext): Promise<void> {
  const body = await exchange.body();
  const modelName = modelOfBody(body);
  if (modelName === null || modelName === '') {
    const gin = host.traits.server === 'gin';
    return exchange.send(
      errorAnswer(host.traits, exchange.accept, {
        status: gin ? 400 : 404,
        message: gin ? "missing or invalid 'model' key" : 'no model id could be identified',
      }),
    );
  }
  await serve(host, httpCaller(exchange, body), {
    modelName,
    innerPath: exchange.url.pathname,
    viaUpstream: false,
  });
}

const IGNORED_PATH = /\.(js|json|css|png|gif|jpe?g|ico|txt)$/;

async function upstream({ host, exchange, rest }: RouteContext): Promise<void> {
  const { traits } = host;
  const found = splitModel(host, rest);
  if (!found) {
    if (traits.slashesInUpstream) {
      return exchange.send(errorAnswer(traits, exchange.accept, { status: 404, message: 'model not found' }));
    }
    const [first = ''] = rest.split('/');
    return exchange.send(
      errorAnswer(traits, exchange.accept, {
        status: 500,
        message: `error swapping process group: could not find real modelID for ${decodePath(first)}`,
      }),
    );
  }
  if (found.innerPath === null) {
    return exchange.send(redirect(`${exchange.url.pathname}/`, 301));
  }
  const state = host.processes.get(found.modelId)?.state;
  if (traits.ignorePaths && IGNORED_PATH.test(found.innerPath) && state !== 'ready') {
    const message = `model ${found.modelId} is not loaded; path matches upstream.ignorePaths`;
    return exchange.send(errorAnswer(traits, exchange.accept, { status: 409, message }));
  }
  const body = await exchange.body();
  await serve(host, httpCaller(exchange, body), {
    modelName: found.modelId,
    innerPath: found.innerPath,
    viaUpstream: true,
  });
}

/** Longest prefix of the path that names a model; v150 knew the first segment only. */
function splitModel(
  host: RouteContext['host'],
  rest: string,
): { readonly modelId: string; readonly innerPath: string | null } | null {
  const segments = rest.split('/');
  const longest = host.traits.slashesInUpstream ? segments.length : 1;
  for (let count = longest; count >= 1; count -= 1) {
    const name = decodePath(segments.slice(0, count).join('/'));
    const resolved = host.resolve(name);
    if (resolved.kind !== 'model' || resolved.selector !== null) continue;
    const inner = segments.length === count ? null : `/${segments.slice(count).join('/')}`;
    return { modelId: resolved.modelId, innerPath: inner };
  }
  return null;
}

function httpCaller(exchange: HttpExchange, body: string): Caller {
  return {
    method: exchange.method,
    path: exchange.url.pathname,
    headers: exchange.goHeaders(),
    body,
    remoteIp: exchange.remoteIp,
    by: 'request',
    gone: exchange.gone,
    script: {},
    head: (status, headers) => exchange.head(status, headers, true),
    write: (chunk) => exchange.write(chunk),
    answer: (answer) => exchange.send(answer),
    end: () => exchange.end(),
    cut: () => exchange.cut(),
  };
}
