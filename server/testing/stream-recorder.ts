import type { EventStreamListener } from '../domain/ports.ts';
import type { UpstreamEvent } from '../domain/upstream-event.ts';

type StreamEnd = Parameters<EventStreamListener['onClosed']>[0];

/** Records what a stream tells its owner; `closed` resolves with its end. */
export class StreamRecorder implements EventStreamListener {
  readonly events: UpstreamEvent[] = [];
  readonly closed: Promise<StreamEnd>;
  opened: { readonly clockOffsetMs: number | null } | null = null;
  byteCount = 0;
  logsDropped = 0;
  ends = 0;
  readonly #end: (end: StreamEnd) => void;
  readonly #waiting = new Set<() => void>();

  constructor() {
    const { promise, resolve } = Promise.withResolvers<StreamEnd>();
    this.closed = promise;
    this.#end = resolve;
  }

  onOpen(info: { readonly clockOffsetMs: number | null }): void {
    this.opened = info;
  }

  onBytes(byteCount: number): void {
    this.byteCount += byteCount;
  }

  onEvent(event: UpstreamEvent): void {
    this.events.push(event);
    for (const check of this.#waiting) check();
  }

  onLogsDropped(count: number): void {
    this.logsDropped += count;
  }

  onClosed(end: StreamEnd): void {
    this.ends += 1;
    this.#end(end);
  }

  /** Resolves once `count` events arrived. */
  async untilEvents(count: number): Promise<void> {
    if (this.events.length >= count) return;
    await new Promise<void>((resolve) => {
      const check = () => {
        if (this.events.length < count) return;
        this.#waiting.delete(check);
        resolve();
      };
      this.#waiting.add(check);
    });
  }
}
