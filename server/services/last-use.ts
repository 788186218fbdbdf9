import type { AccessStore, LastUse as Use } from '../domain/access-ports.ts';
import type { Log } from '../domain/ports.ts';

/**
 * When devices and keys were last used, gathered in memory and written in one transaction now and then: neither a busy
 * script nor five hundred open pages cost a write each. What a crash loses is one period of it.
 */
export class LastUse {
  readonly #store: Pick<AccessStore, 'touch'>;
  readonly #log: Log;
  #pending = new Map<string, Use>();

  constructor(store: Pick<AccessStore, 'touch'>, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  note(kind: Use['kind'], id: string, at: number): void {
    this.#pending.set(id, { kind, id, at });
  }

  /** The later of what is stored and what waits to be. */
  latest(id: string, stored: number): number {
    return Math.max(stored, this.#pending.get(id)?.at ?? stored);
  }

  /** As {@link LastUse.latest}, for what may never have been used. */
  latestOrNull(id: string, stored: number | null): number | null {
    const pending = this.#pending.get(id)?.at;
    return pending === undefined ? stored : Math.max(stored ?? pending, pending);
  }

  /** A disk that takes no writes must not sign people out: what could not be written is kept for the next time. */
  flush(): void {
    if (this.#pending.size === 0) return;
    try {
      this.#store.touch([...this.#pending.values()]);
      this.#pending = new Map();
    } catch (error) {
      this.#log.warn({ error: String(error) }, 'the last use of sessions and keys could not be written');
    }
  }
}
