import { createHash } from 'node:crypto';
import type { ActivityRequest } from '#shared/schemas/activity.ts';
import { must } from '#shared/lib/assert.ts';
import type { Connection } from './connection.ts';

const FIND = 'SELECT id FROM facet WHERE digest = ?';
const INSERT = `INSERT INTO facet (digest, host_no, model_id, path, source, error, status, first_ended_at, last_ended_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`;
const WIDEN = `UPDATE facet SET first_ended_at = min(first_ended_at, ?), last_ended_at = max(last_ended_at, ?)
  WHERE id = ?`;

/** Known facets kept in memory; error texts make new ones all the time, so old ones are let go. */
const CACHE_ENTRIES = 20_000;

/** Finds or adds the facet of a row, and widens the times it spans. */
export class FacetDictionary {
  readonly #connection: Connection;
  readonly #ids = new Map<string, number>();

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.onRollback(() => this.clear());
  }

  /** Forgets what is in memory: facets were deleted, or their insert was undone. */
  clear(): void {
    this.#ids.clear();
  }

  /** Facet of a request row; the caller widens it with `widen` once a batch. */
  idOf(hostNo: number, row: ActivityRequest): number {
    const { modelId, path, source, error, status } = row;
    const key = JSON.stringify([hostNo, modelId, path, source, error, status]);
    const cached = this.#ids.get(key);
    if (cached !== undefined) return cached;
    const digest = createHash('sha256').update(key).digest().subarray(0, 16);
    const found = this.#connection.statement<{ id: number }>(FIND).get(digest);
    const inserted =
      found ??
      this.#connection
        .statement<{ id: number }>(INSERT)
        .get(digest, hostNo, modelId, path, source, error, status, row.endedAt, row.endedAt);
    const { id } = must(inserted, 'the facet just inserted');
    if (this.#ids.size >= CACHE_ENTRIES) this.#ids.clear();
    this.#ids.set(key, id);
    return id;
  }

  /** Widens facets to the end times of a batch of rows. */
  widen(spans: ReadonlyMap<number, { readonly first: number; readonly last: number }>): void {
    const widen = this.#connection.statement(WIDEN);
    for (const [id, { first, last }] of spans) widen.run(first, last, id);
  }
}
