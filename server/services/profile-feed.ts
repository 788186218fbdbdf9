import type { HostProfiles } from '#shared/schemas/host.ts';
import type { ConnectorStore, HostFeatures, LlamaSwapClient, Log } from '../domain/ports.ts';

/** What a host's feed of profiles works with. */
export interface ProfileFeedOptions {
  readonly hostId: string;
  readonly client: Pick<LlamaSwapClient, 'profiles'>;
  readonly store: Pick<ConnectorStore, 'hostStatus'>;
  readonly log: Log;
  /** Called when {@link ProfileFeed.current} changed. */
  readonly onProfiles: () => void;
}

/**
 * What profiles a host has and which is active. The probes bring the list at each connect; it is read again when the
 * stream tells of a switch, and never otherwise, since each reading is a line in the host's log. Which one is active
 * the stream tells best.
 */
export class ProfileFeed {
  readonly #options: ProfileFeedOptions;
  #current: HostProfiles | null;
  /** The active profile as told on the stream that counts. */
  #told: { readonly active: string | null } | null = null;
  /** The host of this stream has profiles, and may be asked. */
  #offered = false;
  #reading: AbortController | null = null;

  constructor(options: ProfileFeedOptions) {
    this.#options = options;
    this.#current = options.store.hostStatus(options.hostId)?.profiles ?? null;
  }

  /** As last known; null when nothing is. */
  get current(): HostProfiles | null {
    return this.#current;
  }

  /** A stream became the one that counts. */
  begin(): void {
    this.end();
    this.#told = null;
  }

  /** The probes of this stream's host are through. */
  synchronise({ profiles, profileList }: HostFeatures): void {
    this.#offered = profiles;
    this.#set(profileList);
  }

  /** The stream told which profile is active. */
  onActive(active: string | null): void {
    this.#told = { active };
    this.#set(this.#current);
    // At connect the probes are on their way to ask already.
    if (this.#offered) void this.#read();
  }

  /** No stream counts any more. */
  end(): void {
    this.#offered = false;
    this.#reading?.abort();
    this.#reading = null;
  }

  async #read(): Promise<void> {
    this.#reading?.abort();
    const reading = new AbortController();
    this.#reading = reading;
    try {
      const answer = await this.#options.client.profiles(reading.signal);
      // A list that could not be read is no other one: the next switch or connect asks again.
      if (!reading.signal.aborted && answer.ok) this.#set(answer.value);
    } catch (error) {
      this.#options.log.error({ hostId: this.#options.hostId, error }, 'reading profiles threw');
    }
  }

  #set(profiles: HostProfiles | null): void {
    const next = profiles && this.#told ? { ...profiles, active: this.#told.active } : profiles;
    if (JSON.stringify(next) === JSON.stringify(this.#current)) return;
    this.#current = next;
    this.#options.onProfiles();
  }
}
