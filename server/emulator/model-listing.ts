import type { ModelConfig, ResolvedConfig } from './config.ts';
import type { EraTraits } from './era.ts';
import type { HostTime } from './host-time.ts';
import type { ModelProcess } from './model-process.ts';
import { goJson, goMapJson } from './wire/go-format.ts';

type Row = Readonly<Record<string, unknown>>;

/** What the listings are made from. */
export interface Listing {
  readonly traits: EraTraits;
  readonly time: HostTime;
  readonly config: ResolvedConfig;
  readonly processes: ReadonlyMap<string, ModelProcess>;
}

/** Wire ids of the peers' models. */
export function peerModels(
  listing: Pick<Listing, 'traits' | 'config'>,
): { id: string; peer: string; model: string }[] {
  if (listing.traits.peers === 'none') return [];
  return listing.config.peers.flatMap((peer) =>
    peer.models.map((model) => ({
      id: listing.traits.peers === 'qualified' ? `${peer.id}/${model}` : model,
      peer: peer.id,
      model,
    })),
  );
}

/** Body of `GET /v1/models`: listed models, aliases where configured, peers, selectors, sorted by id. */
export function modelsBody(listing: Listing): string {
  const { traits, config } = listing;
  const rows: Row[] = [];
  for (const model of config.models) {
    if (model.unlisted) continue;
    rows.push(localRow(listing, model, model.id));
    if (!traits.models.aliases || !config.includeAliasesInList) continue;
    for (const alias of model.aliases) rows.push(localRow(listing, model, alias));
  }
  for (const { id, peer, model } of peerModels(listing)) {
    rows.push({
      ...head(listing, id),
      name: `${peer}: ${model}`,
      meta: { llamaswap: { peerID: peer, ...(traits.models.types ? { type: 'peer' } : {}) } },
      ...status(traits, false),
    });
  }
  if (traits.profiles) {
    for (const { id, strategy, targets } of config.selectors) {
      const loaded = targets.some((target) => isLoaded(listing, target));
      rows.push({
        ...head(listing, id),
        meta: { llamaswap: { strategy, targets, type: 'selector' } },
        ...status(traits, loaded),
      });
    }
  }
  rows.sort((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1));
  if (traits.server === 'mux') return `${goJson({ data: rows, object: 'list' })}\n`;
  return `{"data":[${rows.map((row) => goMapJson(row)).join(',')}],"object":"list"}`;
}

/** Body of `GET /running`. */
export function runningBody(listing: Listing): string {
  const { traits } = listing;
  const active = [...listing.processes.values()].filter(({ state }) =>
    traits.server === 'gin' ? state === 'ready' : state !== 'stopped',
  );
  const rows = active.map((process) => {
    const { id, name, description, ttlSeconds } = process.config;
    const keys = { model: id, state: process.state };
    if (traits.runningRow === 'two-keys') return goJson(keys);
    const row = { ...keys, cmd: process.command, proxy: process.proxy, ttl: ttlSeconds, name, description };
    return traits.server === 'gin' ? goMapJson(row) : goJson(row);
  });
  return `{"running":[${rows.join(',')}]}${traits.server === 'gin' ? '' : '\n'}`;
}

/** Data of a `modelStatus` message: every local model, then the peers. */
export function modelStatusJson(listing: Listing): string {
  const { traits, config, time } = listing;
  const rules = traits.modelStatus;
  const rows: Row[] = config.models.map((model) => {
    const process = listing.processes.get(model.id);
    const readyAt = process?.state === 'ready' ? process.readyAt : null;
    return {
      id: model.id,
      name: model.name,
      description: model.description,
      state: process?.state ?? 'stopped',
      unlisted: model.unlisted,
      ...(rules.peerId ? { peerID: '' } : {}),
      ...(rules.aliases && model.aliases.length > 0 ? { aliases: model.aliases } : {}),
      ...(rules.capabilities && model.capabilities !== null ? { capabilities: flags(model) } : {}),
      ...(rules.contextLength && model.contextLength !== null && model.capabilities !== null
        ? { context_length: model.contextLength }
        : {}),
      ...(rules.readySince && readyAt !== null
        ? {
            readySince: time.utcStamp(readyAt + time.skewMs),
            uptimeMs: Math.max(1, Math.round(time.clock.now() - readyAt)),
          }
        : {}),
    };
  });
  for (const { id, peer } of peerModels(listing)) {
    rows.push({
      id,
      name: '',
      description: '',
      state: '',
      unlisted: false,
      ...(rules.peerId ? { peerID: peer } : {}),
    });
  }
  return goJson(rows);
}

function localRow(listing: Listing, model: ModelConfig, id: string): Row {
  const { traits } = listing;
  const described = model.capabilities !== null && traits.models.capabilities;
  const context = described ? model.contextLength : null;
  const isAlias = id !== model.id;
  const own = {
    ...(traits.models.userMetadata ? model.metadata : {}),
    ...(traits.models.types
      ? isAlias
        ? { modelID: model.id, type: 'alias' }
        : { ...(model.aliases.length > 0 ? { aliases: model.aliases } : {}), type: 'model' }
      : {}),
  };
  const llamaswap = Object.fromEntries(Object.entries(own).sort(([a], [b]) => (a < b ? -1 : 1)));
  const nCtx = traits.models.bareRoute && context !== null ? { n_ctx: context } : {};
  return {
    ...head(listing, id),
    ...(model.name === '' ? {} : { name: model.name }),
    ...(model.description === '' ? {} : { description: model.description }),
    ...(described
      ? {
          architecture: { input_modalities: ['text'], modality: 'text->text', output_modalities: ['text'] },
          capabilities: flags(model),
          ...(flags(model)['function_calling'] ? { supported_parameters: ['tools', 'tool_choice'] } : {}),
        }
      : {}),
    ...(context === null ? {} : { context_length: context }),
    ...(context !== null && traits.models.contextWindow ? { context_window: context } : {}),
    ...(Object.keys(llamaswap).length === 0 ? {} : { meta: { llamaswap, ...nCtx } }),
    ...status(traits, isLoaded(listing, model.id)),
  };
}

function head(listing: Listing, id: string): Row {
  // `created` is the time of the request, in every version.
  return {
    id,
    object: 'model',
    created: Math.floor(listing.time.now() / 1000),
    owned_by: 'llama-swap',
  };
}

function status(traits: EraTraits, loaded: boolean): Row {
  return traits.models.status ? { status: { value: loaded ? 'loaded' : 'unloaded' } } : {};
}

function isLoaded(listing: Listing, modelId: string): boolean {
  const state = listing.processes.get(modelId)?.state ?? 'stopped';
  return state !== 'stopped';
}

function flags(model: ModelConfig): Readonly<Record<string, boolean>> {
  return Object.fromEntries((model.capabilities ?? []).map((name) => [name, true]));
}
