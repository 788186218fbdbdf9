import type { Host, Liveness } from '#shared/schemas/host.ts';

/** Live hosts first, then the ones that may come back by themselves, then the ones that need somebody. */
const RANK: Readonly<Record<Liveness, number>> = {
  connected: 0,
  reconnecting: 1,
  asleep: 2,
  down: 3,
  unauthorized: 4,
  incompatible: 5,
};
const PAUSED_RANK = 6;

/** Host ids in the order a fresh look would give them. */
export function sortedIds(hosts: readonly Host[]): readonly string[] {
  const rank = (host: Host): number => (host.paused ? PAUSED_RANK : RANK[host.liveness]);
  return [...hosts]
    .sort(
      (a, b) =>
        rank(a) - rank(b) ||
        a.label.localeCompare(b.label, undefined, { numeric: true }) ||
        (a.id < b.id ? -1 : 1),
    )
    .map((host) => host.id);
}

/**
 * The order on screen after the fleet changed: what is there keeps its place, what is new is appended, what is gone
 * leaves. Nothing moves under the finger.
 */
export function keptOrder(shown: readonly string[], hosts: readonly Host[]): readonly string[] {
  const present = new Set(hosts.map((host) => host.id));
  const kept = shown.filter((id) => present.has(id));
  const known = new Set(kept);
  const added = sortedIds(hosts).filter((id) => !known.has(id));
  return added.length === 0 && kept.length === shown.length ? shown : [...kept, ...added];
}

/** How many cards stand elsewhere than a fresh look would put them. */
export function misplacedCount(shown: readonly string[], hosts: readonly Host[]): number {
  const wanted = sortedIds(hosts);
  return shown.filter((id, index) => wanted[index] !== id).length;
}
