import type * as Y from 'yjs';
import { stringsOf, tailItems } from '#sync/tail-doc.ts';

/** What a {@link TailFeed} passes on. */
export interface TailFeedListener {
  /** Items to decode, with the dictionary as of now. `whole`: all items there are, others were trimmed. */
  readonly onItems: (dictionary: readonly string[], items: readonly Uint8Array[], whole: boolean) => void;
  /** Items were trimmed, just now: called before `onItems`. */
  readonly onTrim: () => void;
}

/** Hands the items of the tail document to the history worker, which decodes them off the main thread. */
export class TailFeed {
  readonly #doc: Y.Doc;
  readonly #listener: TailFeedListener;

  constructor(doc: Y.Doc, listener: TailFeedListener) {
    this.#doc = doc;
    this.#listener = listener;
    this.#pass(tailItems(doc).toArray(), true);
    tailItems(doc).observe(this.#onChange);
  }

  stop(): void {
    tailItems(this.#doc).unobserve(this.#onChange);
  }

  readonly #onChange = (event: Y.YArrayEvent<unknown>): void => {
    const { delta } = event.changes;
    if (delta.some((part) => part.delete !== undefined)) {
      this.#listener.onTrim();
      this.#pass(tailItems(this.#doc).toArray(), true);
      return;
    }
    this.#pass(
      delta.flatMap((part): readonly unknown[] => (Array.isArray(part.insert) ? part.insert : [])),
      false,
    );
  };

  #pass(items: readonly unknown[], whole: boolean): void {
    const bytes = items.filter((item): item is Uint8Array => item instanceof Uint8Array);
    this.#listener.onItems(stringsOf(this.#doc), bytes, whole);
  }
}
