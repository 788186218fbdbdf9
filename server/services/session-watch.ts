import type { Identity } from '../domain/identity.ts';
import type { Log } from '../domain/ports.ts';

type EndedListener = (identityId: string, why: 'expired' | 'revoked') => void;
type ChangedListener = (identity: Identity) => void;

/** What the watch reads: who may sign in now, and who may not because somebody said so. */
export interface SessionSource {
  identities(): readonly Identity[];
  isRevoked(identityId: string): boolean;
}

/**
 * Tells open sockets of sessions and keys that ended or got another role or name, whoever wrote that: this process, or
 * the command line beside it. It compares what the store says now with what it said before.
 */
export class SessionWatch {
  readonly #source: SessionSource;
  readonly #log: Log;
  readonly #ended = new Set<EndedListener>();
  readonly #changed = new Set<ChangedListener>();
  #known = new Map<string, Identity>();

  constructor(source: SessionSource, log: Log) {
    this.#source = source;
    this.#log = log;
  }

  onEnded(listener: EndedListener): () => void {
    this.#ended.add(listener);
    return () => this.#ended.delete(listener);
  }

  onChanged(listener: ChangedListener): () => void {
    this.#changed.add(listener);
    return () => this.#changed.delete(listener);
  }

  /** Somebody signed in who may be newer than the last look: without this, an end before the next would go unnoticed. */
  saw(identity: Identity): void {
    if (!this.#known.has(identity.id)) this.#known.set(identity.id, identity);
  }

  /** Looks now, and tells what differs from the last look. */
  look(): void {
    let now: Map<string, Identity>;
    try {
      now = new Map(this.#source.identities().map((identity) => [identity.id, identity]));
    } catch (error) {
      this.#log.warn({ error: String(error) }, 'sessions and keys could not be read');
      return;
    }
    const before = this.#known;
    this.#known = now;
    for (const [id, known] of before) {
      const identity = now.get(id);
      if (identity === undefined) {
        const why = this.#whyEnded(id);
        for (const listener of this.#ended) listener(id, why);
      } else if (identity.role !== known.role || identity.label !== known.label) {
        for (const listener of this.#changed) listener(identity);
      }
    }
  }

  /** Where it cannot be read, a device keeps its copy: `revoked` would wipe it. */
  #whyEnded(id: string): 'expired' | 'revoked' {
    try {
      return this.#source.isRevoked(id) ? 'revoked' : 'expired';
    } catch (error) {
      this.#log.warn({ error: String(error) }, 'sessions and keys could not be read');
      return 'expired';
    }
  }
}
