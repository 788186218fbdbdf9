import type { Model } from '#shared/schemas/model.ts';
import type { Clock, HostFeatures, LlamaSwapClient, Log } from '../domain/ports.ts';

/** What becomes ready together is read together. */
const GATHER_MS = 1_000;

/** What a reader of TTLs works with. */
export interface TtlReaderOptions {
  readonly hostId: string;
  readonly client: LlamaSwapClient;
  readonly clock: Clock;
  readonly log: Log;
  /** Called with what was read, by model id. */
  readonly onRead: (ttlMs: ReadonlyMap<string, number>) => void;
}

/**
 * Reads how long a host keeps its models after their last request: once for each model that is ready, when it became so,
 * since each reading is a line in the host's log. Behind a wake-on-LAN proxy it is not asked.
 */
export class TtlReader {
  readonly #options: TtlReaderOptions;
  /** Models that were asked about on this connection, while they stay ready. */
  #asked: ReadonlySet<string> = new Set();
  #offered = false;
  #cancel: (() => void) | null = null;
  #reading: AbortController | null = null;

  constructor(options: TtlReaderOptions) {
    this.#options = options;
  }

  /** The probes are through. */
  begin({ wolProxy }: HostFeatures): void {
    this.#offered = !wolProxy;
  }

  /** No stream counts any more. */
  end(): void {
    this.#offered = false;
    this.#asked = new Set();
    this.#cancel?.();
    this.#cancel = null;
    this.#reading?.abort();
    this.#reading = null;
  }

  /** The models as they are now. */
  look(models: readonly Model[]): void {
    if (!this.#offered) return;
    const ready = models.filter(({ state, peerId }) => state === 'ready' && peerId === null);
    const ids = ready.map(({ modelId }) => modelId);
    this.#asked = new Set(ids.filter((id) => this.#asked.has(id)));
    if (this.#cancel !== null || ids.every((id) => this.#asked.has(id))) return;
    this.#cancel = this.#options.clock.after(GATHER_MS, () => {
      this.#cancel = null;
      void this.#read();
    });
    this.#asked = new Set(ids);
  }

  async #read(): Promise<void> {
    const { client, hostId, log, onRead } = this.#options;
    this.#reading?.abort();
    const reading = new AbortController();
    this.#reading = reading;
    try {
      const answer = await client.running(reading.signal);
      // What could not be read stays unknown until the model is started again, or the host connected.
      if (reading.signal.aborted || !answer.ok) return;
      onRead(
        new Map(
          answer.value.flatMap(({ modelId, ttlMs }): [string, number][] =>
            ttlMs === null ? [] : [[modelId, ttlMs]],
          ),
        ),
      );
    } catch (error) {
      log.error({ hostId, error }, 'reading TTLs threw');
    }
  }
}
