/** Releases the emulator can be. `main` is the five commits after v250. */
export const ERAS = ['v150', 'v200', 'v217', 'v228', 'v235', 'v240', 'v250', 'main', 'v262'] as const;
/** See {@link ERAS}. */
export type Era = (typeof ERAS)[number];

/** Reads `--era`; a release that is not emulated is refused in words. */
export function parseEra(text: string): { ok: true; era: Era } | { ok: false; message: string } {
  const era = ERAS.find((known) => known === text);
  if (era) return { ok: true, era };
  return { ok: false, message: `unknown era "${text}"; use one of ${ERAS.join(' ')}` };
}

/** What one release puts on the wire. Every difference the emulator knows is a field here, named after the behaviour. */
export interface EraTraits {
  readonly era: Era;
  /** Answer of `/api/version`; null before v173. */
  readonly version: { readonly version: string; readonly commit: string; readonly build_date: string } | null;
  /** gin up to v217 (404 for a wrong method, JSON errors only when asked for); net/http mux since v218. */
  readonly server: 'gin' | 'mux';
  /** Own errors: `{error}` or text, `{error:string, src}`, `{src, error:{message,…}}`. */
  readonly errorBody: 'plain' | 'string' | 'object';
  readonly runningRow: 'two-keys' | 'seven-keys';
  /** How `/api/events` tells of finished requests. */
  readonly activityMessage: 'row' | 'rows' | 'id';
  readonly activityRow: {
    readonly shape: 'flat' | 'nested';
    /** Columns a flat row gained before it became nested. */
    readonly flat: {
      readonly promptSpeed: boolean;
      readonly cacheTokens: boolean;
      readonly hasCapture: boolean;
    };
    readonly firstId: 0 | 1;
    readonly wholeSeconds: boolean;
    readonly drafts: boolean;
    readonly errors: boolean;
    readonly metadata: boolean;
    readonly source: boolean;
    /** Answers that become rows: those that told their usage, those with status 200 (v179+), all (v209+). */
    readonly answers: 'with-usage' | 'ok' | 'every';
    /** Where `duration_ms` begins: at the request, or at the first byte of the answer (v169–v209). */
    readonly durationFrom: 'request' | 'first-byte';
    /** llama.cpp's own times replace what was measured, or only lengthen it (v200+). */
    readonly timingsDuration: 'replace' | 'at-least';
    /** Rows for ids no model has (the old server answered them before the meter). */
    readonly unknownModels: boolean;
  };
  readonly activityListing: 'ring' | 'pages';
  readonly activityRange: boolean;
  /** `null` instead of `[]` for an empty ring. */
  readonly emptyRingIsNull: boolean;
  readonly statsCountIsMaxId: boolean;
  /** How many run: not told, a number that is wrong (up to v217), one that is right, rows, changes of rows. */
  readonly inFlight: 'none' | 'legacy-total' | 'total' | 'snapshot' | 'operations';
  /** What is kept of a conversation; null before v190. */
  readonly captures: {
    readonly ofErrors: 'nothing' | 'all-null' | 'request';
    /** What came through `/upstream` is kept as a path without parts (v209–v217). */
    readonly emptyThroughUpstream: boolean;
    /** `has_capture` is what was true when the row was written (up to v208). */
    readonly staleFlag: boolean;
    readonly contentType: string;
  } | null;
  /** What a stored or shown secret header becomes. */
  readonly secretHeaders: 'removed' | 'redacted';
  readonly performance: 'none' | 'plain' | 'with-enabled';
  /** Prometheus `/metrics` without a key although keys exist (before v225). */
  readonly metricsOpen: boolean;
  readonly uiOpen: boolean;
  readonly wolHealth: boolean;
  readonly hardware: boolean;
  readonly profiles: boolean;
  readonly peers: 'none' | 'bare' | 'qualified';
  readonly apiKeys: boolean;
  readonly bearerIgnoresCase: boolean;
  readonly models: {
    readonly bareRoute: boolean;
    readonly aliases: boolean;
    readonly capabilities: boolean;
    /** `meta.llamaswap.type` and friends, on every row. */
    readonly types: boolean;
    readonly status: boolean;
    readonly contextWindow: boolean;
    readonly userMetadata: boolean;
  };
  readonly modelStatus: {
    readonly peerId: boolean;
    readonly aliases: boolean;
    readonly capabilities: boolean;
    readonly contextLength: boolean;
    readonly readySince: boolean;
  };
  readonly unloadOne: boolean;
  readonly cancel: boolean;
  readonly logs: {
    readonly inEvents: boolean;
    readonly eventsRoute: boolean;
    readonly accessLines: 'proxy' | 'http';
    readonly perModel: 'none' | 'cleared' | 'kept';
    readonly surviveReload: boolean;
    /** Lines llama-swap itself writes when it starts. */
    readonly startLines: boolean;
  };
  /** POST routes that carry a model's name in their body. */
  readonly inferenceRoutes: readonly string[];
  /** GETs of a model's server that count as running requests. */
  readonly trackedGets: readonly string[];
  /** POSTs through `/upstream` are metered: never, always, on inference routes only. */
  readonly upstreamMetered: 'no' | 'any' | 'inference';
  /** llama.cpp's `timings` replace the token counts of `usage` (v155+). */
  readonly timingsCountTokens: boolean;
  /** Cached tokens of OpenAI's `usage` are read (v213+). */
  readonly usageCountsCache: boolean;
  readonly vllmMetrics: boolean;
  readonly slashesInUpstream: boolean;
  readonly ignorePaths: boolean;
  readonly queueLength: number;
  readonly dropWarning: 'none' | 'each' | 'throttled';
  /** Failed starts, crashes and stops at exit change the state without a message. */
  readonly silentExits: boolean;
  /** `group: running X exited: …` before `group: starting X failed: …`. */
  readonly exitWords: 'running' | 'starting';
  readonly accelBuffering: boolean;
  /** The reverse proxy forwards its upstream's `Connection` and `Keep-Alive`. */
  readonly forwardsHopHeaders: boolean;
  readonly truncationText: string;
  readonly logsRecovery: boolean;
  readonly clientGoneStatus: boolean;
  readonly ttlFromReady: boolean;
  readonly allowAnyOrigin: boolean;
  readonly toolRoutes: boolean;
}

const BASE_ROUTES = [
  '/v1/chat/completions',
  '/v1/completions',
  '/v1/embeddings',
  '/rerank',
  '/v1/rerank',
  '/reranking',
  '/v1/reranking',
  '/completion',
  '/infill',
] as const;

interface Build {
  readonly ordinal: number;
  readonly version: string;
  readonly commit: string;
}

const BUILDS: Readonly<Record<Era, Build>> = {
  v150: { ordinal: 150, version: 'v150', commit: '8e52a1c0' },
  v200: { ordinal: 200, version: 'v200', commit: 'd87f0ce2' },
  v217: { ordinal: 217, version: 'v217', commit: '636b53e7' },
  v228: { ordinal: 228, version: 'v228', commit: 'a15e4792' },
  v235: { ordinal: 235, version: 'v235', commit: 'c59816ba' },
  v240: { ordinal: 240, version: 'v240', commit: '6b5320de' },
  v250: { ordinal: 250, version: 'v250', commit: '60226b63' },
  main: { ordinal: 250.5, version: 'v250-5-g0bdb3720', commit: '0bdb3720' },
  v262: { ordinal: 262, version: 'v262', commit: '4d1f7a92' },
};

/** The behaviour of a release. */
export function traitsOf(era: Era): EraTraits {
  const { ordinal, version, commit } = BUILDS[era];
  const since = (tag: number): boolean => ordinal >= tag;
  return {
    era,
    version: since(173) ? { version, commit, build_date: '2026-08-22T00:00:00Z' } : null,
    server: since(218) ? 'mux' : 'gin',
    errorBody: since(250.1) ? 'object' : since(218) ? 'string' : 'plain',
    runningRow: since(186) ? 'seven-keys' : 'two-keys',
    activityMessage: since(236) ? 'id' : since(152) ? 'rows' : 'row',
    activityRow: {
      shape: since(209) ? 'nested' : 'flat',
      flat: { promptSpeed: since(151), cacheTokens: since(158), hasCapture: since(190) },
      firstId: since(236) ? 1 : 0,
      wholeSeconds: since(236),
      drafts: since(229),
      errors: since(229),
      metadata: since(227),
      source: since(253),
      answers: since(209) ? 'every' : since(179) ? 'ok' : 'with-usage',
      durationFrom: since(169) && !since(210) ? 'first-byte' : 'request',
      timingsDuration: since(200) ? 'at-least' : 'replace',
      unknownModels: since(218),
    },
    activityListing: since(236) ? 'pages' : 'ring',
    activityRange: since(250.1),
    emptyRingIsNull: !since(212),
    statsCountIsMaxId: since(256),
    inFlight: inFlightOf(since),
    captures: since(190)
      ? {
          ofErrors: since(229) ? 'request' : since(212) && !since(218) ? 'all-null' : 'nothing',
          emptyThroughUpstream: since(209) && !since(218),
          staleFlag: !since(209),
          // Since v203 the bytes are written as they are stored, past gin.
          contentType: since(203) ? 'application/json' : 'application/json; charset=utf-8',
        }
      : null,
    secretHeaders: since(236) ? 'redacted' : 'removed',
    performance: since(229) ? 'with-enabled' : since(212) ? 'plain' : 'none',
    metricsOpen: !since(225),
    uiOpen: !since(225),
    wolHealth: since(167),
    hardware: since(247),
    profiles: since(241),
    peers: since(242) ? 'qualified' : since(179) ? 'bare' : 'none',
    apiKeys: since(179),
    bearerIgnoresCase: since(225),
    models: {
      bareRoute: since(250),
      aliases: since(173),
      capabilities: since(225),
      types: since(241),
      status: since(236),
      contextWindow: since(252),
      userMetadata: since(163),
    },
    modelStatus: {
      peerId: since(179),
      aliases: since(194),
      capabilities: since(225),
      contextLength: since(250),
      readySince: since(259),
    },
    unloadOne: since(161),
    cancel: since(235),
    logs: {
      inEvents: !since(259),
      eventsRoute: since(259),
      accessLines: since(259) ? 'http' : 'proxy',
      perModel: since(218) ? 'kept' : since(177) ? 'cleared' : 'none',
      surviveReload: since(218),
      startLines: since(218),
    },
    inferenceRoutes: [
      ...BASE_ROUTES,
      ...(since(175) ? ['/v1/messages'] : []),
      ...(since(182) ? ['/v1/responses'] : []),
      ...(since(212) ? ['/v/chat/completions', '/v/completions', '/v/embeddings'] : []),
    ],
    trackedGets: since(234) ? ['/props'] : [],
    upstreamMetered: since(218) ? 'inference' : since(169) ? 'any' : 'no',
    timingsCountTokens: since(155),
    usageCountsCache: since(213),
    vllmMetrics: since(238),
    slashesInUpstream: since(159),
    ignorePaths: since(229),
    queueLength: since(218) ? 1024 : 25,
    dropWarning: since(251) ? 'throttled' : since(218) ? 'each' : 'none',
    silentExits: !since(218),
    exitWords: since(241) ? 'starting' : 'running',
    accelBuffering: since(159),
    forwardsHopHeaders: !since(159),
    truncationText: since(159) ? '' : 'unexpected EOF\n',
    logsRecovery: since(159),
    clientGoneStatus: since(251),
    ttlFromReady: since(256) || !since(218),
    allowAnyOrigin: since(257),
    toolRoutes: since(253),
  };
}

function inFlightOf(since: (tag: number) => boolean): EraTraits['inFlight'] {
  if (since(240)) return 'operations';
  if (since(235)) return 'snapshot';
  if (since(218)) return 'total';
  return since(192) ? 'legacy-total' : 'none';
}
