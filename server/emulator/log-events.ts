import type { ServerResponse } from 'node:http';
import type { EventHub } from './event-hub.ts';
import type { LogSource, Logs } from './logs.ts';
import { goJson } from './wire/go-format.ts';

/** Streams of `/api/events/logs` (v259+). */
export const LOG_STREAMS: readonly LogSource[] = ['proxy', 'upstream', 'http'];

/** Clients of `/api/events/logs`: each hears the sources it asked for. */
export class LogEvents {
  readonly #logs: Logs;
  readonly #hub: EventHub;

  constructor(options: { readonly logs: Logs; readonly hub: EventHub }) {
    this.#logs = options.logs;
    this.#hub = options.hub;
  }

  /** History first (unless unwanted), one message per source with text, then every write. */
  open(
    response: ServerResponse,
    options: { readonly sources: ReadonlySet<LogSource>; readonly history: boolean },
    onClose: (bytes: number) => void,
  ): void {
    const stop = this.#logs.listen((source, data) => {
      if (options.sources.has(source)) send('logData', goJson({ source, data }));
    });
    const send = this.#hub.add(response, (bytes) => {
      stop();
      onClose(bytes);
    });
    if (!options.history) return;
    for (const source of options.sources) {
      const data = this.#logs.history(source);
      if (data !== '') send('logData', goJson({ source, data }));
    }
  }

  freeze(): void {
    this.#hub.freeze();
  }

  thaw(): void {
    this.#hub.thaw();
  }

  end(): void {
    this.#hub.end();
  }

  cut(): void {
    this.#hub.cut();
  }
}
