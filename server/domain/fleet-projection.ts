import type { Host } from '#shared/schemas/host.ts';
import type { Model } from '#shared/schemas/model.ts';
import { pausedReason } from './connection-reason.ts';
import type { HostConfig, HostStatus } from './ports.ts';

/** Past this many models of a host, the document holds the active ones only; all of them stay in SQLite and HTTP. */
export const DOCUMENT_MODELS_PER_HOST = 500;

/** What one host may take of the document, so that an odd one cannot fill it for all. */
const DOCUMENT_CHARACTERS_PER_HOST = 256 * 1024;
/** Longest text and list of a model in the document; HTTP has them whole. */
const DOCUMENT_TEXT_CHARACTERS = 200;
const DOCUMENT_LIST_ITEMS = 16;
const DOCUMENT_LOG_LINES = 12;

/**
 * A host as documents and the API show it. Before its first status nothing is known but its configuration. It says how
 * many `models` there are where the document does not hold them all.
 */
export function hostEntry(
  config: HostConfig,
  status: HostStatus | null,
  now: number,
  models: readonly Model[],
): Host {
  return {
    ...leftOut(models),
    ...config,
    ...(status ?? {
      liveness: 'reconnecting',
      since: now,
      lastSeenAt: null,
      reason: config.paused ? pausedReason : 'Not connected yet.',
      version: null,
      attempt: null,
      nextAttemptAt: null,
      features: [],
      clockOffsetMs: null,
      profiles: null,
    }),
  };
}

/** The count that a host's entry carries when the document does not hold all of its models. */
export function leftOut(models: readonly Model[]): { readonly modelCount?: number } {
  return modelsForDocument(models).length < models.length ? { modelCount: models.length } : {};
}

/** What is left of a status when the process that wrote it has ended: nobody is connected any more. */
export function statusAfterRestart(status: HostStatus | null, now: number): HostStatus | null {
  if (status?.liveness !== 'connected') return status;
  return {
    ...status,
    liveness: 'reconnecting',
    since: now,
    reason: 'Drover has just started.',
    attempt: null,
    nextAttemptAt: null,
  };
}

/** A clock offset that moves by less is the same one: it is measured at every answer. */
const CLOCK_OFFSET_STEP_MS = 2000;

/** True when a host's entry need not be written again: `lastSeenAt` alone changes all the time and goes out live. */
export function sameHost(a: Host, b: Host): boolean {
  const plain = (host: Host): Host => ({ ...host, lastSeenAt: null, clockOffsetMs: null });
  return sameOffset(a.clockOffsetMs, b.clockOffsetMs) && sameJson(plain(a), plain(b));
}

function sameOffset(a: number | null, b: number | null): boolean {
  if (a === null || b === null) return a === b;
  return Math.abs(a - b) < CLOCK_OFFSET_STEP_MS;
}

/** True when a model's entry need not be written again: `observedAt` alone is no change. */
export function sameModel(a: Model, b: Model): boolean {
  return a === b || sameJson({ ...a, observedAt: 0 }, { ...b, observedAt: 0 });
}

/** Made once for each list: hosts are asked for far more often than their models change. */
const chosenModels = new WeakMap<readonly Model[], Model[]>();

/**
 * The models of a host that its document entries are made of, with long texts cut: all of them, or the active ones when
 * there are too many; never more bytes than one host may take, active ones first.
 */
export function modelsForDocument(models: readonly Model[]): readonly Model[] {
  const known = chosenModels.get(models);
  if (known) return known;
  const chosen = chooseModels(models);
  chosenModels.set(models, chosen);
  return chosen;
}

function chooseModels(models: readonly Model[]): Model[] {
  const chosen = models.length > DOCUMENT_MODELS_PER_HOST ? models.filter(isActive) : models;
  const shown = chosen.slice(0, DOCUMENT_MODELS_PER_HOST).map(shorten);
  if (textLength(shown) <= DOCUMENT_CHARACTERS_PER_HOST) return shown;
  const kept = new Set<Model>();
  let left = DOCUMENT_CHARACTERS_PER_HOST;
  for (const model of [...shown.filter(isActive), ...shown.filter((model) => !isActive(model))]) {
    left -= textLength([model]);
    if (left < 0) break;
    kept.add(model);
  }
  return shown.filter((model) => kept.has(model));
}

function shorten(model: Model): Model {
  return {
    ...model,
    name: cut(model.name),
    description: cut(model.description),
    aliases: model.aliases.slice(0, DOCUMENT_LIST_ITEMS).map(cut),
    capabilities: model.capabilities.slice(0, DOCUMENT_LIST_ITEMS).map(cut),
    failedStart: model.failedStart && {
      ...model.failedStart,
      reason: cut(model.failedStart.reason),
      lines: model.failedStart.lines.slice(-DOCUMENT_LOG_LINES).map(cut),
    },
  };
}

function textLength(models: readonly Model[]): number {
  return models.reduce((sum, model) => sum + JSON.stringify(model).length, 0);
}

function isActive(model: Model): boolean {
  return (model.state !== 'stopped' && model.state !== 'unknown') || model.failedStart !== null;
}

function cut(text: string): string {
  if (text.length <= DOCUMENT_TEXT_CHARACTERS) return text;
  return `${text.slice(0, DOCUMENT_TEXT_CHARACTERS - 1).toWellFormed()}…`;
}

/** Both sides are made with their keys in one order, by a schema or by spreading over the same shape. */
function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a, sortedKeys) === JSON.stringify(b, sortedKeys);
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
