import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { ActivityRow } from '#shared/schemas/activity.ts';
import type { Model } from '#shared/schemas/model.ts';
import { openStore } from '../adapters/sqlite/open-store.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { identityOf, storedIdentities } from '../testing/check-history.ts';
import { temporaryDirectory } from '../testing/temporary-store.ts';
import type { DroverProcess } from './drover-process.ts';
import { Replica } from './replica.ts';
import type { RowLedger } from './row-ledger.ts';

/** Bounds of the documents as a device fetches them. */
const FLEET_MAX_BYTES = 1024 * 1024;
const TAIL_MAX_BYTES = 256 * 1024;
/** So many models of a host, with names as they are in practice, are all in the document. */
const FEW_MODELS = 100;

/** Waits until `check` passes, whatever it threw before. */
export function until<T>(check: () => T | Promise<T>, timeout = 40_000): Promise<T> {
  return vi.waitFor(check, { timeout, interval: 50 });
}

/** Lets time pass: so that what follows hits another moment each time. */
export function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    systemClock.after(delayMs, resolve);
  });
}

/** Devices of a viewer, connected to the server or to a cable in front of it. */
export async function connectReplicas(
  drover: DroverProcess,
  count: number,
  url = drover.url,
): Promise<Replica[]> {
  const [{ key }, { documents }] = await Promise.all([drover.createKey('viewer'), drover.info()]);
  return Array.from({ length: count }, () => new Replica({ url, key, documents }));
}

/** Waits until the server has the newest row of each host. */
export async function untilCaughtUp(
  drover: DroverProcess,
  ledgers: readonly RowLedger[],
  timeout = 60_000,
): Promise<void> {
  await until(async () => {
    const behind: string[] = [];
    for (const ledger of ledgers) {
      // Of each host by itself: while one was stopped, others may have gone on for more rows than that.
      const newest = await drover.newestRows(500, ledger.hostId);
      if (!ledger.isReached(newest)) behind.push(`${ledger.hostId} ${ledger.lastId}`);
    }
    expect(behind).toEqual([]);
  }, timeout);
}

/**
 * A replica shows what the server has, no more and no less: the same rows, each once, and the same hosts and models.
 * Nothing may be happening meanwhile. Returns the server's rows.
 */
export async function expectConverged(
  drover: DroverProcess,
  replicas: readonly Replica[],
): Promise<readonly ActivityRow[]> {
  let rows: readonly ActivityRow[] = [];
  await until(async () => {
    rows = await drover.allRows();
    const served = rows.map(identityOf).sort();
    const [hosts, models] = [await drover.hosts(), await drover.models()];
    for (const replica of replicas) {
      expect(await replica.fetchSegments()).toBe(true);
      const shown = replica.rows().filter((row) => row.type !== 'model-event');
      expectSame(shown.map(identityOf).sort(), served);
      const records = replica.records();
      expect(records.unreadable).toBe(0);
      expect(replica.sizes().fleet).toBeLessThanOrEqual(FLEET_MAX_BYTES);
      expect(replica.sizes().tail).toBeLessThanOrEqual(TAIL_MAX_BYTES);
      const stated = (host: { id: string; liveness: string; version: string | null }) =>
        `${host.id} ${host.liveness} ${host.version}`;
      expect([...records.hosts.values()].map(stated).sort()).toEqual(hosts.map(stated).sort());
      const named = (model: Model) => `${model.hostId} ${model.modelId} ${model.state}`;
      const shownModels = new Set([...records.models.values()].map(named));
      // A host with very many models shows those that matter; it shows none that is not, and none in another state.
      const servedModels = new Set(models.map(named));
      expect([...shownModels].filter((name) => !servedModels.has(name))).toEqual([]);
      const due = models.filter((model) => isShown(model, models));
      expect(due.map(named).filter((name) => !shownModels.has(name))).toEqual([]);
    }
  });
  // What a person was once shown is still there: content, not only identity.
  const served = new Map(rows.map((row) => [identityOf(row), row]));
  for (const replica of replicas) {
    for (const [identity, row] of replica.seen) {
      if (row.type === 'request') expect(served.get(identity)).toMatchObject({ modelId: row.modelId });
    }
  }
  return rows;
}

/** Whether a device must have it: of a host with few models all of them, of one with very many those in use. */
function isShown({ hostId, state }: Model, all: readonly Model[]): boolean {
  return state === 'ready' || all.filter((model) => model.hostId === hostId).length <= FEW_MODELS;
}

/** Like `toEqual` on two sorted lists, with a report a person can read when thousands differ. */
function expectSame(shown: readonly string[], served: readonly string[]): void {
  const [a, b] = [new Set(shown), new Set(served)];
  expect({
    shownTwice: shown.length - a.size,
    servedTwice: served.length - b.size,
    missing: served.filter((identity) => !a.has(identity)).slice(0, 20),
    extra: shown.filter((identity) => !b.has(identity)).slice(0, 20),
  }).toEqual({ shownTwice: 0, servedTwice: 0, missing: [], extra: [] });
}

/**
 * Identities of the rows a dead server left on disk, read from a copy: the next start must find the log of a crash as
 * the crash left it.
 */
export function rowsOnDisk(drover: DroverProcess): ReadonlySet<string> {
  const copy = join(temporaryDirectory(), 'drover.db');
  for (const suffix of ['', '-wal']) {
    if (existsSync(drover.databasePath + suffix)) copyFileSync(drover.databasePath + suffix, copy + suffix);
  }
  const store = openStore(copy, { now: systemClock.now() });
  try {
    const identities = storedIdentities(store);
    const rows = new Set(identities);
    expect(rows.size).toBe(identities.length);
    return rows;
  } finally {
    store.close();
  }
}
