import { createDecoder, readVarUint, readVarUint8Array } from 'lib0/decoding';
import * as Y from 'yjs';
import { z } from 'zod';
import { readItems } from '#sync/tail-codec.ts';
import { stringsOf, tailItems } from '#sync/tail-doc.ts';

const rowTimes = z.array(z.object({ endedAt: z.number() }));

/** A replica of the tail that says which rows each frame brought. */
export class TailReader {
  readonly #doc = new Y.Doc();
  readonly #known = new Set<string>();
  #items: unknown[] = [];

  constructor() {
    tailItems(this.#doc).observe((event) => {
      for (const { insert } of event.changes.delta) if (Array.isArray(insert)) this.#items.push(...insert);
    });
  }

  /** Applies a sync frame; returns the end times of the requests that were in none before. */
  take(frame: Uint8Array): number[] {
    const decoder = createDecoder(frame);
    readVarUint(decoder);
    readVarUint(decoder);
    this.#items = [];
    Y.applyUpdate(this.#doc, readVarUint8Array(decoder));
    const times: number[] = [];
    for (const row of readItems(this.#items, stringsOf(this.#doc)).rows) {
      if (row.type !== 'request') continue;
      const identity = `${row.hostId} ${row.id}`;
      if (this.#known.has(identity)) continue;
      this.#known.add(identity);
      times.push(row.endedAt);
    }
    return times;
  }

  /** The same of a frame of the JSON broadcast. */
  takeJson(frame: Buffer): number[] {
    return rowTimes.parse(JSON.parse(frame.toString())).map(({ endedAt }) => endedAt);
  }
}
