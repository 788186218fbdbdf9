import type { Host } from '#shared/schemas/host.ts';
import { fleetKey } from '#sync/fleet-record.ts';
import { appendTail, decodeTail, trimTail } from '#sync/tail-codec.ts';
import { tailItems } from '#sync/tail-doc.ts';
import type * as Y from 'yjs';
import { hostEntry } from '../domain/fleet-projection.ts';
import type { HostStore } from '../domain/host-ports.ts';
import type { Clock } from '../domain/ports.ts';
import type { Store } from '../domain/store-ports.ts';
import { AppError } from '../errors.ts';
import type { DocHost, OpenDocuments } from './doc-host.ts';
import type { FleetCache } from './fleet-cache.ts';
import type { Recorder } from './recorder.ts';

/** What the registry is made of. */
export interface HostRegistryOptions {
  readonly docHost: DocHost;
  readonly store: Store;
  readonly cache: FleetCache;
  readonly recorder: Pick<Recorder, 'flushRows' | 'forget'>;
  readonly clock: Clock;
  /** Rows of sealed history are gone: what holds them must be made anew. */
  readonly onPurged: () => void;
}

/** Rows an item of a rewritten tail holds. */
const ITEM_ROWS = 250;

/** The registry of hosts: each change is one commit of rows and document. Throws `StoreError` when nothing was kept. */
export function createHostRegistry(options: HostRegistryOptions): HostStore {
  const { docHost, store, cache, recorder, clock } = options;
  const show = ({ fleet }: OpenDocuments, host: Host): void => {
    fleet.set(fleetKey.host(host.id), host);
  };
  const hide = ({ fleet }: OpenDocuments, hostId: string): void => {
    for (const key of fleet.keys(fleetKey.modelsOf(hostId))) fleet.delete(key);
    fleet.delete(fleetKey.host(hostId));
  };
  const forget = (hostId: string): void => {
    cache.delete(hostId);
    recorder.forget(hostId);
  };

  return {
    hosts: () => cache.all().map(({ config }) => config),
    host: (id) => cache.get(id)?.config ?? null,
    insertHost(config, now, along) {
      if (cache.get(config.id)) throw new AppError('conflict', `There is a host ${config.id} already.`);
      docHost.commit((documents) => {
        store.fleet.insertHost(config, now);
        along?.();
        show(documents, hostEntry(config, null, clock.now(), []));
      });
      cache.put({ config, status: null, models: [] });
    },
    updateHost(config, along) {
      const known = cache.get(config.id);
      const shown = cache.host(config.id);
      if (!known || !shown) return;
      docHost.commit((documents) => {
        store.fleet.updateHost(config);
        along?.();
        show(documents, { ...shown, ...config });
      });
      cache.put({ ...known, config });
    },
    removeHost(id, _now, along) {
      if (!cache.get(id)) return false;
      // What was learned of it until now is part of its history.
      recorder.flushRows();
      docHost.commit((documents) => {
        store.fleet.removeHost(id);
        along?.();
        hide(documents, id);
      });
      forget(id);
      return true;
    },
    purgeHost(id) {
      recorder.forget(id);
      docHost.commit(
        (documents) => {
          // Segments mix hosts: the sealer builds those again that held rows of this one.
          store.segments.markStale(id);
          store.fleet.removeHost(id);
          store.activity.deleteHost(id);
          store.captures.deleteHost(id);
          store.modelEvents.deleteHost(id);
          store.logChunks.deleteHost(id);
          store.rollups.deleteHost(id);
          store.performance.deleteHost(id);
          hide(documents, id);
          withoutHost(documents.tail, id);
        },
        { compact: ['tail'] },
      );
      forget(id);
      options.onPurged();
    },
  };
}

function withoutHost(tail: Y.Doc, hostId: string): void {
  const kept = decodeTail(tail).filter((row) => row.hostId !== hostId);
  trimTail(tail, tailItems(tail).length);
  for (let start = 0; start < kept.length; start += ITEM_ROWS) {
    appendTail(tail, kept.slice(start, start + ITEM_ROWS));
  }
}
