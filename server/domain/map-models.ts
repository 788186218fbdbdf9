import { boundedText } from '#shared/lib/bounded-text.ts';
import { readCount } from '#shared/upstream/lenient.ts';
import type { ModelStatusRow } from '#shared/upstream/model-status.ts';
import type { ObservedModel } from './upstream-event.ts';

const MAX_ID = 1024;
const MAX_STATE = 64;
const MAX_NAME = 512;
const MAX_DESCRIPTION = 2048;
const MAX_ALIASES = 64;
const MAX_CAPABILITIES = 32;

/**
 * Models of a `modelStatus` snapshot, each id once, in the order of the host. Two peers may offer one name before v242,
 * and peers come in random order: a local model wins, then the peer whose name sorts first, so that nothing flickers.
 */
export function mapModels(rows: readonly ModelStatusRow[]): readonly ObservedModel[] {
  const byId = new Map<string, ObservedModel>();
  for (const row of rows) {
    const model = mapModel(row);
    const other = byId.get(model.modelId);
    if (!other || comesFirst(model, other)) byId.set(model.modelId, model);
  }
  return [...byId.values()];
}

function mapModel(row: ModelStatusRow): ObservedModel {
  const contextLength = readCount(row.context_length);
  const uptimeMs = readCount(row.uptimeMs);
  return {
    modelId: boundedText(row.id, MAX_ID),
    name: boundedText(row.name ?? '', MAX_NAME),
    description: boundedText(row.description ?? '', MAX_DESCRIPTION),
    // Peers have no state on the wire: theirs is not known.
    state: boundedText(row.state, MAX_STATE) || 'unknown',
    aliases: readAliases(row.aliases ?? []),
    peerId: row.peerID ? boundedText(row.peerID, MAX_ID) : null,
    unlisted: row.unlisted ?? false,
    contextLength: contextLength === 0 ? null : contextLength,
    capabilities: readFlags(row.capabilities ?? {}),
    uptimeMs: uptimeMs === 0 ? null : uptimeMs,
  };
}

function readAliases(values: readonly unknown[]): readonly string[] {
  return values
    .filter((value) => typeof value === 'string')
    .slice(0, MAX_ALIASES)
    .map((alias) => boundedText(alias, MAX_ID));
}

function readFlags(flags: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(flags)
    .filter((name) => flags[name] === true)
    .slice(0, MAX_CAPABILITIES)
    .map((name) => boundedText(name, MAX_STATE))
    .toSorted();
}

function comesFirst(model: ObservedModel, other: ObservedModel): boolean {
  return (model.peerId ?? '') < (other.peerId ?? '');
}
