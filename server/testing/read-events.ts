import { EventPipeline } from '../adapters/event-pipeline.ts';
import type { UpstreamEvent } from '../domain/upstream-event.ts';

/** Keeps what a pipeline gave. */
export class EventCollector {
  readonly events: UpstreamEvent[] = [];
  logsDropped = 0;
  onEvent(event: UpstreamEvent): void {
    this.events.push(event);
  }
  onLogsDropped(count: number): void {
    this.logsDropped += count;
  }
}

/** All events of a byte stream, whatever its chunks. */
export function readEvents(chunks: Iterable<Uint8Array>): UpstreamEvent[] {
  const collector = new EventCollector();
  const pipeline = new EventPipeline(collector);
  for (const chunk of chunks) pipeline.push(chunk);
  while (pipeline.run(1000) !== 'idle');
  return collector.events;
}

/** Cuts bytes into pieces of the sizes asked for. */
export function* cutBytes(bytes: Uint8Array, nextSize: () => number): Generator<Uint8Array> {
  for (let offset = 0; offset < bytes.length;) {
    const size = nextSize();
    yield bytes.subarray(offset, offset + size);
    offset += size;
  }
}
