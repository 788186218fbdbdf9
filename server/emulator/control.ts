import { z } from 'zod';
import { hostConfig, loadOutcome } from './config.ts';
import type { EmulatedHost } from './emulated-host.ts';
import { servingScript } from './serving-script.ts';
import { syntheticRow } from './synthetic-activity.ts';
import type { HttpExchange } from './wire/http-exchange.ts';

/** Everything under this path is the emulator's own, not llama-swap's. */
export const CONTROL_PREFIX = '/_emulator/';

const nothing = z.strictObject({});
const model = z.strictObject({ modelId: z.string() });
const door = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('direct') }),
  z.strictObject({
    kind: z.literal('wol-proxy'),
    asleep: z.boolean().default(true),
    wakeAfterMs: z.number().min(0).nullable().default(null),
  }),
  z.strictObject({ kind: z.literal('html') }),
  z.strictObject({ kind: z.literal('status'), status: z.number().int().min(200).max(599) }),
]);

interface Command<S extends z.ZodType> {
  readonly body: S;
  readonly run: (host: EmulatedHost, body: z.output<S>) => unknown;
}

function command<S extends z.ZodType>(
  body: S,
  run: Command<S>['run'],
): (host: EmulatedHost, text: string) => unknown {
  return (host, text) => run(host, body.parse(text === '' ? {} : JSON.parse(text)));
}

/** `POST /_emulator/<name>` with a JSON body. */
const COMMANDS: Readonly<Record<string, (host: EmulatedHost, text: string) => unknown>> = {
  load: command(model, async (host, { modelId }) => ({ result: await host.load(modelId) })),
  unload: command(model, (host, { modelId }) => host.unload(modelId)),
  crash: command(model, (host, { modelId }) => host.crash(modelId)),
  'script-starts': command(model.extend({ outcomes: z.array(loadOutcome) }), (host, { modelId, outcomes }) =>
    host.scriptStarts(modelId, outcomes),
  ),
  'script-answers': command(model.extend({ scripts: z.array(servingScript) }), (host, { modelId, scripts }) =>
    host.scriptAnswers(modelId, scripts),
  ),
  reload: command(hostConfig.partial(), (host, config) => host.reload({ ...host.config, ...config })),
  'reload-invalid': command(nothing, (host) => host.reloadInvalid()),
  keys: command(z.strictObject({ apiKeys: z.array(z.string()) }), (host, { apiKeys }) =>
    host.setApiKeys(apiKeys),
  ),
  restart: command(
    z.strictObject({ downMs: z.number().min(0).max(600_000).default(0) }),
    (host, { downMs }) =>
      later(host, async () => {
        await host.stop();
        await afterDelay(host, downMs);
        await host.start();
      }),
  ),
  kill: command(
    z.strictObject({
      orphans: z.boolean().default(false),
      /** Null: it stays dead, and this endpoint with it. */
      startAfterMs: z.number().min(0).max(600_000).nullable().default(null),
    }),
    (host, { orphans, startAfterMs }) =>
      later(host, async () => {
        await host.kill({ orphans });
        if (startAfterMs === null) return;
        await afterDelay(host, startAfterMs);
        await host.start();
      }),
  ),
  freeze: command(nothing, (host) => host.freeze()),
  thaw: command(nothing, (host) => host.thaw()),
  'front-door': command(door, (host, value) => host.setFrontDoor(value)),
  'cut-events': command(nothing, (host) => host.cutEvents()),
  'end-events': command(nothing, (host) => host.endEvents()),
  frame: command(z.strictObject({ bytes: z.string() }), (host, { bytes }) => host.injectFrame(bytes)),
  message: command(z.strictObject({ type: z.string(), data: z.string() }), (host, { type, data }) =>
    host.injectMessage(type, data),
  ),
  'flood-logs': command(
    z.strictObject({
      lines: z.number().int().min(1).max(1_000_000),
      bytes: z.number().int().min(1).max(1_000_000).default(120),
      source: z.enum(['proxy', 'upstream']).default('upstream'),
      perSecond: z.number().int().min(1).max(1_000_000).optional(),
    }),
    (host, { perSecond, ...options }) =>
      perSecond === undefined ? host.floodLogs(options) : host.floodLogsFor({ ...options, perSecond }),
  ),
  log: command(
    z.strictObject({
      text: z.string().max(1_000_000),
      source: z.enum(['proxy', 'upstream', 'http']).default('upstream'),
      model: z.string().nullable().default(null),
    }),
    (host, { source, text, model }) => host.llamaSwap.logs.write(source, text, model),
  ),
  activity: command(
    z.strictObject({
      count: z.number().int().min(1).max(100_000),
      model: z.string().optional(),
      status: z.number().int().optional(),
      error: z.string().optional(),
      endedAt: z.number().int().min(0).optional(),
      source: z.string().optional(),
      announce: z.boolean().default(true),
    }),
    (host, { count, announce, model: name, status, error, endedAt, source }) =>
      host.addActivity(count, {
        announce,
        ...(name === undefined ? {} : { model: name }),
        ...(status === undefined ? {} : { status }),
        ...(error === undefined ? {} : { error }),
        ...(endedAt === undefined ? {} : { endedAt }),
        ...(source === undefined ? {} : { source }),
      }),
  ),
  rows: command(z.strictObject({ rows: z.array(syntheticRow).max(50_000) }), (host, { rows }) => {
    const added = rows.map((row) => host.addActivity(1, row));
    return { firstId: added.at(0)?.firstId ?? null, lastId: added.at(-1)?.lastId ?? null };
  }),
  clock: command(z.strictObject({ skewMs: z.number().int() }), (host, { skewMs }) => {
    host.time.skewMs = skewMs;
  }),
  traffic: command(
    z.strictObject({
      ratePerSecond: z.number().min(0).max(1000),
      failureShare: z.number().min(0).max(1).default(0.02),
      hangUpShare: z.number().min(0).max(1).default(0.01),
    }),
    (host, options) => (options.ratePerSecond === 0 ? host.stopTraffic() : host.startTraffic(options)),
  ),
  'stall-gpus': command(z.strictObject({ stalled: z.boolean() }), (host, { stalled }) =>
    host.stallGpus(stalled),
  ),
  clear: command(nothing, (host) => host.records.clear()),
};

/** `GET /_emulator/<name>`. */
const VIEWS: Readonly<Record<string, (host: EmulatedHost, params: URLSearchParams) => unknown>> = {
  effects: (host, params) => ({
    totals: host.records.totals,
    effects: host.records.effectsAfter(Number(params.get('after') ?? 0)),
  }),
  requests: (host) => ({ requests: host.records.requests }),
  streams: (host) => ({ streams: host.records.streams }),
  performance: (host) => (host.isRunning ? host.llamaSwap.performance.truth() : { system: [], gpus: [] }),
  state: (host) => ({
    era: host.era,
    running: host.isRunning,
    frontDoor: host.frontDoor,
    models: host.isRunning
      ? [...host.llamaSwap.processes.values()].map(({ config, state, inFlight }) => ({
          id: config.id,
          state,
          inFlight,
        }))
      : [],
    eventClients: host.isRunning ? host.llamaSwap.hub.clientCount : 0,
    lastActivityId: host.isRunning ? host.llamaSwap.activity.nextId - 1 : null,
  }),
};

/** Answers a control request; mistakes are told as 400 with the reason. */
export async function answerControl(host: EmulatedHost, exchange: HttpExchange): Promise<void> {
  const name = exchange.url.pathname.slice(CONTROL_PREFIX.length);
  const reply = (status: number, value: unknown): void =>
    exchange.send({
      status,
      headers: { 'Content-Type': 'application/json' },
      body: `${JSON.stringify(value)}\n`,
    });
  if (exchange.method === 'GET') {
    const view = VIEWS[name];
    return view
      ? reply(200, view(host, exchange.url.searchParams))
      : reply(404, { error: `no such view; there are ${Object.keys(VIEWS).join(', ')}` });
  }
  const run = COMMANDS[name];
  if (exchange.method !== 'POST' || !run) {
    return reply(404, { error: `no such command; there are ${Object.keys(COMMANDS).join(', ')}` });
  }
  try {
    const result = await run(host, await exchange.body());
    reply(200, result ?? { ok: true });
  } catch (error) {
    const message =
      error instanceof z.ZodError
        ? z.prettifyError(error)
        : error instanceof Error
          ? error.message
          : String(error);
    reply(400, { error: message });
  }
}

/** The answer leaves before the process it comes from ends. */
function later(host: EmulatedHost, task: () => Promise<void>): void {
  host.time.clock.after(20, () => {
    task().catch((error: unknown) => process.stderr.write(`emulator: ${String(error)}\n`));
  });
}

function afterDelay(host: EmulatedHost, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    host.time.clock.after(delayMs, resolve);
  });
}
