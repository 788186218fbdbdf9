import type { ServerResponse } from 'node:http';
import type { HostTime } from './host-time.ts';
import { goJson } from './wire/go-format.ts';

/** One frame of `/api/events`: JSON whose `data` is JSON text again. */
export function eventFrame(type: string, dataJson: string): string {
  return `event:message\ndata:{"type":${goJson(type)},"data":${goJson(dataJson)}}\n\n`;
}

interface Client {
  readonly response: ServerResponse;
  readonly queue: string[];
  bytes: number;
  suppressed: number;
  lastWarningAt: number | null;
  warningDue: boolean;
}

/** How the hub behaves towards readers that fall behind; differs between eras. */
export interface HubOptions {
  readonly time: HostTime;
  readonly queueLength: number;
  readonly dropWarning: 'none' | 'each' | 'throttled';
  /** Name the warning carries: `handleAPIEvents`, `handleAPILogEvents`. */
  readonly handler: string;
  /** Writes a WARN line to the proxy log. */
  readonly warn: (text: string) => void;
}

/** Warnings of one full client per second: the real host's rate is what its CPU gives, which no test machine survives. */
const WARNING_DELAY_MS = 10;
const THROTTLE_MS = 5000;

/** Open event streams: bounded queue per client, overflow dropped, everything closable, freezable, corruptible. */
export class EventHub {
  readonly #options: HubOptions;
  readonly #clients = new Set<Client>();
  #frozen = false;

  constructor(options: HubOptions) {
    this.#options = options;
  }

  get clientCount(): number {
    return this.#clients.size;
  }

  /** Takes a response whose headers are set; the first write sends them. `onClose` gets the bytes that were written. */
  add(response: ServerResponse, onClose: (bytes: number) => void): (type: string, dataJson: string) => void {
    const client: Client = {
      response,
      queue: [],
      bytes: 0,
      suppressed: 0,
      lastWarningAt: null,
      warningDue: false,
    };
    this.#clients.add(client);
    response.on('drain', () => this.#flush(client));
    response.on('close', () => {
      this.#clients.delete(client);
      onClose(client.bytes);
    });
    return (type, dataJson) => this.#push(client, eventFrame(type, dataJson));
  }

  /** Sends a message to every client. */
  send(type: string, dataJson: string): void {
    if (this.#clients.size === 0) return;
    this.raw(eventFrame(type, dataJson));
  }

  /** Writes bytes as they are to every client: malformed frames, huge lines, comments. */
  raw(frame: string): void {
    for (const client of this.#clients) this.#push(client, frame);
  }

  /** Stops writing while sockets stay open; what is sent meanwhile queues up to the queue's length. */
  freeze(): void {
    this.#frozen = true;
  }

  thaw(): void {
    this.#frozen = false;
    for (const client of this.#clients) this.#flush(client);
  }

  /** Ends every stream as a stopping llama-swap does. */
  end(): void {
    for (const client of this.#clients) client.response.end();
  }

  /** Resets every stream's connection. */
  cut(): void {
    for (const client of this.#clients) client.response.destroy();
  }

  #push(client: Client, frame: string): void {
    if (client.response.writableEnded || client.response.destroyed) return;
    if (!this.#frozen && client.queue.length === 0 && !client.response.writableNeedDrain) {
      this.#write(client, frame);
    } else if (client.queue.length < this.#options.queueLength) {
      client.queue.push(frame);
    } else {
      client.suppressed += 1;
      this.#scheduleWarning(client);
    }
  }

  #flush(client: Client): void {
    while (!this.#frozen && client.queue.length > 0 && !client.response.writableNeedDrain) {
      this.#write(client, client.queue.shift() ?? '');
    }
  }

  #write(client: Client, frame: string): void {
    client.bytes += Buffer.byteLength(frame);
    client.response.write(frame);
  }

  // A warning is itself log data for the same full client, which drops it and warns again: the loop of v218 to main,
  // slowed down.
  #scheduleWarning(client: Client): void {
    const { dropWarning, time, handler, warn } = this.#options;
    if (dropWarning === 'none' || client.warningDue) return;
    const now = time.clock.now();
    if (
      dropWarning === 'throttled' &&
      client.lastWarningAt !== null &&
      now - client.lastWarningAt < THROTTLE_MS
    ) {
      return;
    }
    client.warningDue = true;
    client.lastWarningAt = now;
    time.clock.after(WARNING_DELAY_MS, () => {
      client.warningDue = false;
      if (!this.#clients.has(client)) return;
      warn(
        dropWarning === 'each'
          ? `${handler} sendBuffer full, dropped message`
          : `${handler} sendBuffer full, ${client.suppressed} messages suppressed`,
      );
      client.suppressed = 0;
    });
  }
}
