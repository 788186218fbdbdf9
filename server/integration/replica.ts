import { onTestFinished } from 'vitest';
import { WebsocketProvider } from 'y-websocket';
import * as Y from 'yjs';
import type { TailRow } from '#sync/tail-codec.ts';
import { readFleet } from '#sync/fleet-doc.ts';
import { parseFleet, type FleetRecords } from '#sync/fleet-record.ts';
import { decodeSegment } from '#sync/segment-codec.ts';
import { decodeTail, readItems } from '#sync/tail-codec.ts';
import { stringsOf, tailItems } from '#sync/tail-doc.ts';
import { identityOf } from '../testing/check-history.ts';

/** Where a replica connects and with what. */
export interface ReplicaOptions {
  /** Base address of the server, or of a cable in front of it. */
  readonly url: string;
  readonly key: string;
  readonly documents: { readonly fleet: string; readonly tail: string };
}

/**
 * A device: two unchanged y-websocket clients that keep their documents over every loss of the connection, and the
 * segments of the manifest. It remembers each row it was ever given, which is what a person may have read.
 */
export class Replica {
  readonly fleet: WebsocketProvider;
  readonly tail: WebsocketProvider;
  /** Identity of every row ever shown, with the row. */
  readonly seen = new Map<string, TailRow>();
  readonly #options: ReplicaOptions;
  readonly #segments = new Map<string, readonly TailRow[]>();

  constructor(options: ReplicaOptions) {
    this.#options = options;
    this.fleet = this.#connect(options.documents.fleet);
    this.tail = this.#connect(options.documents.tail);
    tailItems(this.tail.doc).observe(({ changes }) => {
      const items: unknown[] = changes.delta.flatMap(({ insert }) => (Array.isArray(insert) ? insert : []));
      this.#see(readItems(items, stringsOf(this.tail.doc)).rows);
    });
  }

  /** The fleet as this device has it. */
  records(): FleetRecords {
    return parseFleet(readFleet(this.fleet.doc));
  }

  /** Fetches what the manifest lists and is not here yet; false while one of them cannot be had. */
  async fetchSegments(): Promise<boolean> {
    for (const { hash } of this.records().segments.values()) {
      if (this.#segments.has(hash)) continue;
      const reply = await fetch(`${this.#options.url}/api/segments/${hash}`, {
        headers: { authorization: `Bearer ${this.#options.key}` },
      }).catch(() => null);
      if (reply?.status !== 200) {
        await reply?.body?.cancel();
        return false;
      }
      const segment = decodeSegment(new Uint8Array(await reply.arrayBuffer()));
      const isFeed = segment.kind === 'activity' || segment.kind === 'model-events';
      const rows = isFeed ? segment.rows : [];
      this.#segments.set(hash, rows);
      this.#see(rows);
    }
    return true;
  }

  /** Every row it shows now, tail and fetched segments of the manifest; one that stands twice is there twice. */
  rows(): readonly TailRow[] {
    const sealed = [...this.records().segments.values()].flatMap(
      ({ hash }) => this.#segments.get(hash) ?? [],
    );
    return [...sealed, ...decodeTail(this.tail.doc)];
  }

  /** Encoded sizes, as a new device would fetch them. */
  sizes(): { readonly fleet: number; readonly tail: number } {
    return {
      fleet: Y.encodeStateAsUpdate(this.fleet.doc).byteLength,
      tail: Y.encodeStateAsUpdate(this.tail.doc).byteLength,
    };
  }

  close(): void {
    this.fleet.destroy();
    this.tail.destroy();
  }

  #connect(document: string): WebsocketProvider {
    const provider = new WebsocketProvider(
      `${this.#options.url.replace(/^http/, 'ws')}/sync`,
      document,
      new Y.Doc(),
      { params: { key: this.#options.key }, disableBc: true, maxBackoffTime: 300 },
    );
    onTestFinished(() => provider.destroy());
    return provider;
  }

  #see(rows: readonly TailRow[]): void {
    for (const row of rows) this.seen.set(identityOf(row), row);
  }
}
