import type { LivePerson, LivePresence, PreparedAction, PresenceReport } from '#shared/schemas/live.ts';
import type { Identity } from '../domain/identity.ts';
import type { Clock } from '../domain/ports.ts';

/** A page says again every 30 s what it shows; one that said nothing for this long is gone, whatever its socket says. */
export const PRESENCE_MS = 75_000;
const SWEEP_MS = 15_000;
/** People named for a host; the rest is a number. */
export const PRESENCE_MAX = 16;

/** Where the board writes, and how it knows a host. */
export interface PresenceBoardOptions {
  readonly live: { presence(hostId: string, presence: Omit<LivePresence, 'hostId'>): void };
  readonly isHost: (hostId: string) => boolean;
  readonly clock: Clock;
}

interface Page {
  readonly deviceId: string;
  readonly label: string;
  readonly hostId: string;
  readonly preparing: PreparedAction | null;
  readonly since: number;
  readonly heardAt: number;
}

/**
 * Who looks at which host and who prepares an action there, added up over the pages of each device and told to all by
 * the live topic `presence`. It is a courtesy among people, never a lock: nothing is decided by it, and it is forgotten
 * with the socket. A page is a socket; who it belongs to comes from its session.
 */
export class PresenceBoard {
  readonly #options: PresenceBoardOptions;
  readonly #pages = new Map<object, Page>();
  readonly #byHost = new Map<string, Set<object>>();
  #cancel: (() => void) | null = null;

  constructor(options: PresenceBoardOptions) {
    this.#options = options;
  }

  /** Begins to forget pages that say nothing any more. */
  start(): void {
    this.#cancel ??= this.#options.clock.every(SWEEP_MS, () => this.#sweep());
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  /** A page says what it shows. Keys are scripts, and a host that does not exist would be told to everybody: neither counts. */
  report(page: object, identity: Identity, { hostId, preparing }: PresenceReport): void {
    if (identity.kind !== 'device') return;
    if (hostId === null || !this.#options.isHost(hostId)) {
      this.leave(page);
      return;
    }
    const now = this.#options.clock.now();
    const before = this.#pages.get(page);
    if (before && before.hostId !== hostId) this.leave(page);
    const since = before?.hostId === hostId ? before.since : now;
    const { id: deviceId, label } = identity;
    this.#pages.set(page, { deviceId, label, hostId, preparing, since, heardAt: now });
    const pages = this.#byHost.get(hostId) ?? new Set();
    this.#byHost.set(hostId, pages.add(page));
    const isSaidAgain =
      before?.hostId === hostId && before.label === label && isSame(before.preparing, preparing);
    if (!isSaidAgain) this.#tell(hostId);
  }

  /** The page shows no host any more, or its socket went. */
  leave(page: object): void {
    const known = this.#pages.get(page);
    if (!known) return;
    this.#pages.delete(page);
    const pages = this.#byHost.get(known.hostId);
    pages?.delete(page);
    if (pages?.size === 0) this.#byHost.delete(known.hostId);
    this.#tell(known.hostId);
  }

  /** The device of a page has another name. */
  rename(page: object, identity: Identity): void {
    const known = this.#pages.get(page);
    if (!known || known.label === identity.label) return;
    this.#pages.set(page, { ...known, label: identity.label });
    this.#tell(known.hostId);
  }

  #sweep(): void {
    const before = this.#options.clock.now() - PRESENCE_MS;
    for (const [page, { heardAt }] of this.#pages) if (heardAt <= before) this.leave(page);
  }

  #tell(hostId: string): void {
    if (!this.#options.isHost(hostId)) return;
    const people = new Map<string, LivePerson>();
    for (const page of this.#byHost.get(hostId) ?? []) {
      const shown = this.#pages.get(page);
      if (shown) people.set(shown.deviceId, joined(people.get(shown.deviceId), shown));
    }
    const inOrder = [...people.values()].sort(busyFirst);
    const named = inOrder.slice(0, PRESENCE_MAX);
    this.#options.live.presence(hostId, { people: named, more: inOrder.length - named.length });
  }
}

/** Two pages of a device are one person: there since the first, preparing what either has open. */
function joined(person: LivePerson | undefined, page: Page): LivePerson {
  const { deviceId, label } = page;
  return {
    deviceId,
    label,
    since: Math.min(person?.since ?? page.since, page.since),
    preparing: page.preparing ?? person?.preparing ?? null,
  };
}

function busyFirst(a: LivePerson, b: LivePerson): number {
  const busy = Number(b.preparing !== null) - Number(a.preparing !== null);
  return busy === 0 ? a.since - b.since : busy;
}

function isSame(a: PreparedAction | null, b: PreparedAction | null): boolean {
  return a?.kind === b?.kind && a?.modelId === b?.modelId;
}
