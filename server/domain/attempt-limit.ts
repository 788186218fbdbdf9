/** Limits how often something may happen: `max` times for one address (or id) within `windowMs`. */
export interface AttemptLimitOptions {
  readonly max: number;
  readonly windowMs: number;
  /** Addresses remembered; the oldest are forgotten first, so that a flood of addresses cannot fill the memory. */
  readonly maxAddresses: number;
}

/** Attempts by address, in a sliding window. The owner decides which count: for codes only wrong ones do. */
export class AttemptLimit {
  readonly #options: AttemptLimitOptions;
  readonly #attempts = new Map<string, readonly number[]>();

  constructor(options: AttemptLimitOptions) {
    this.#options = options;
  }

  /** How long `address` must wait before its next attempt; 0 when it may try now. */
  waitMs(address: string, now: number): number {
    const recent = this.#recent(address, now);
    if (recent.length < this.#options.max) return 0;
    const oldest = recent[recent.length - this.#options.max] ?? now;
    return Math.max(1, oldest + this.#options.windowMs - now);
  }

  /** Counts one attempt of `address`. */
  count(address: string, now: number): void {
    const recent = [...this.#recent(address, now), now].slice(-this.#options.max);
    this.#attempts.delete(address);
    this.#attempts.set(address, recent);
    if (this.#attempts.size > this.#options.maxAddresses) {
      const first = this.#attempts.keys().next();
      if (!first.done) this.#attempts.delete(first.value);
    }
  }

  #recent(address: string, now: number): readonly number[] {
    // A clock set back would otherwise lock an address out for longer than the window.
    return (this.#attempts.get(address) ?? []).filter((at) => at <= now && at > now - this.#options.windowMs);
  }
}

/**
 * What an address counts as: an IPv6 one as its network of 64 bits, since whoever has one address there has 2^64 of
 * them; an IPv4 one, however it is written, as itself.
 */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...(tail ? tail.split(':') : [])];
  return `${all
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
