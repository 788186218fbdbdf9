/** Streams of log text: llama-swap's own, its models' output, access lines (from v259). */
export type LogSource = 'proxy' | 'upstream' | 'http';

/** Hears each chunk as it is written. */
export type LogListener = (source: LogSource, text: string, modelId: string | null) => void;

const RING_BYTES = 100 * 1024;

class Ring {
  #chunks: string[] = [];
  #bytes = 0;

  write(text: string): void {
    this.#chunks.push(text);
    this.#bytes += Buffer.byteLength(text);
    while (this.#bytes > RING_BYTES && this.#chunks.length > 1) {
      this.#bytes -= Buffer.byteLength(this.#chunks.shift() ?? '');
    }
  }

  text(): string {
    return this.#chunks.join('');
  }

  clear(): void {
    this.#chunks = [];
    this.#bytes = 0;
  }
}

/** The host's log rings (100 KiB each) and their listeners. */
export class Logs {
  #rings = new Map<LogSource, Ring>();
  #models = new Map<string, Ring>();
  #listeners = new Set<LogListener>();

  write(source: LogSource, text: string, modelId: string | null = null): void {
    ring(this.#rings, source).write(text);
    if (modelId !== null) ring(this.#models, modelId).write(text);
    for (const listener of this.#listeners) listener(source, text, modelId);
  }

  /** A line of llama-swap itself, at its log level. */
  proxy(level: 'INFO' | 'WARN', text: string): void {
    this.write('proxy', `[${level}] ${text}\n`);
  }

  history(source: LogSource): string {
    return this.#rings.get(source)?.text() ?? '';
  }

  modelHistory(modelId: string): string {
    return this.#models.get(modelId)?.text() ?? '';
  }

  listen(listener: LogListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  clearModel(modelId: string): void {
    this.#models.get(modelId)?.clear();
  }

  clearModels(): void {
    this.#models.clear();
  }

  clear(): void {
    this.#rings.clear();
    this.#models.clear();
  }
}

function ring<K>(rings: Map<K, Ring>, key: K): Ring {
  const found = rings.get(key) ?? new Ring();
  rings.set(key, found);
  return found;
}
