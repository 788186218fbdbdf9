import { fleetMeta } from '#shared/schemas/fleet.ts';
import type { FleetMeta } from '#shared/schemas/fleet.ts';
import { host } from '#shared/schemas/host.ts';
import type { Host } from '#shared/schemas/host.ts';
import { intentView } from '#shared/schemas/intent.ts';
import type { IntentView } from '#shared/schemas/intent.ts';
import { hostLease } from '#shared/schemas/lease.ts';
import type { HostLease } from '#shared/schemas/lease.ts';
import { model } from '#shared/schemas/model.ts';
import type { Model } from '#shared/schemas/model.ts';
import { segmentEntry } from '#shared/schemas/segment.ts';
import type { SegmentEntry } from '#shared/schemas/segment.ts';

/** Keys of the fleet document. A model id may hold slashes: it is everything after the second one. */
export const fleetKey = {
  meta: 'meta',
  host: (hostId: string): string => `host/${hostId}`,
  model: (hostId: string, modelId: string): string => `model/${hostId}/${modelId}`,
  /** Prefix of all models of a host. */
  modelsOf: (hostId: string): string => `model/${hostId}/`,
  /** An intent: those that are open, and the last that ended. */
  ledger: (intentId: string): string => `ledger/${intentId}`,
  /** Who acts on a host; absent while nobody does. */
  lease: (hostId: string): string => `lease/${hostId}`,
  segment: (kind: string, key: string): string => `segment/${kind}/${key}`,
} as const;

/** A model as its entry holds it: fields that say nothing are left out, and {@link parseFleetEntry} fills them in. */
export function modelEntry(value: Model): Partial<Model> {
  const { description, contextLength, capabilities, failedStart, ...rest } = value;
  return {
    ...rest,
    ...(description === '' ? {} : { description }),
    ...(contextLength === null ? {} : { contextLength }),
    ...(capabilities.length === 0 ? {} : { capabilities }),
    ...(failedStart === null ? {} : { failedStart }),
  };
}

/** An entry of the fleet document, parsed. `unknown` is a key of a newer server; `unreadable` one that does not fit its schema. */
export type FleetRecord =
  | { readonly type: 'meta'; readonly value: FleetMeta }
  | { readonly type: 'host'; readonly value: Host }
  | { readonly type: 'model'; readonly value: Model }
  | { readonly type: 'intent'; readonly value: IntentView }
  | { readonly type: 'lease'; readonly value: HostLease }
  | { readonly type: 'segment'; readonly value: SegmentEntry }
  | { readonly type: 'unknown' }
  | { readonly type: 'unreadable' };

/** Parses one entry. A record whose ids do not match its key is unreadable: it would stand for another. */
export function parseFleetEntry(key: string, value: unknown): FleetRecord {
  const [word] = key.split('/', 1);
  switch (word) {
    case 'meta': {
      if (key !== fleetKey.meta) return { type: 'unknown' };
      const parsed = fleetMeta.safeParse(value);
      return parsed.success ? { type: 'meta', value: parsed.data } : { type: 'unreadable' };
    }
    case 'host': {
      const parsed = host.safeParse(value);
      return parsed.success && key === fleetKey.host(parsed.data.id)
        ? { type: 'host', value: parsed.data }
        : { type: 'unreadable' };
    }
    case 'model': {
      const parsed = model.safeParse(value);
      return parsed.success && key === fleetKey.model(parsed.data.hostId, parsed.data.modelId)
        ? { type: 'model', value: parsed.data }
        : { type: 'unreadable' };
    }
    case 'ledger': {
      const parsed = intentView.safeParse(value);
      return parsed.success && key === fleetKey.ledger(parsed.data.id)
        ? { type: 'intent', value: parsed.data }
        : { type: 'unreadable' };
    }
    case 'lease': {
      const parsed = hostLease.safeParse(value);
      return parsed.success && key === fleetKey.lease(parsed.data.hostId)
        ? { type: 'lease', value: parsed.data }
        : { type: 'unreadable' };
    }
    case 'segment': {
      const parsed = segmentEntry.safeParse(value);
      return parsed.success && key === fleetKey.segment(parsed.data.kind, parsed.data.key)
        ? { type: 'segment', value: parsed.data }
        : { type: 'unreadable' };
    }
    default:
      return { type: 'unknown' };
  }
}

/** The fleet as records, by the same keys as in the document. */
export interface FleetRecords {
  readonly meta: FleetMeta | null;
  readonly hosts: ReadonlyMap<string, Host>;
  readonly models: ReadonlyMap<string, Model>;
  /** The ledger: open intents and the last that ended. */
  readonly intents: ReadonlyMap<string, IntentView>;
  /** Hosts that somebody acts on. */
  readonly leases: ReadonlyMap<string, HostLease>;
  readonly segments: ReadonlyMap<string, SegmentEntry>;
  /** Entries that do not fit their schema: left out, counted. */
  readonly unreadable: number;
}

/** Parses all entries of `readFleet`; unreadable ones are counted, keys of a newer server ignored. */
export function parseFleet(entries: ReadonlyMap<string, unknown>): FleetRecords {
  let meta: FleetMeta | null = null;
  let unreadable = 0;
  const hosts = new Map<string, Host>();
  const models = new Map<string, Model>();
  const intents = new Map<string, IntentView>();
  const leases = new Map<string, HostLease>();
  const segments = new Map<string, SegmentEntry>();
  for (const [key, value] of entries) {
    const record = parseFleetEntry(key, value);
    if (record.type === 'meta') meta = record.value;
    else if (record.type === 'host') hosts.set(key, record.value);
    else if (record.type === 'model') models.set(key, record.value);
    else if (record.type === 'intent') intents.set(key, record.value);
    else if (record.type === 'lease') leases.set(key, record.value);
    else if (record.type === 'segment') segments.set(key, record.value);
    else if (record.type === 'unreadable') unreadable += 1;
  }
  return { meta, hosts, models, intents, leases, segments, unreadable };
}
