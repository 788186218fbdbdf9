import { formatMoment } from '../../ui/format.ts';
import type { HostCardView, HostFacts } from '../host-parts/host-view.ts';
import { isHeard } from '../host-parts/host-view.ts';

/** What stands beside the state of a host: since when, how much runs, its build, the one stamp. */
export function hostLine({ host, inFlight }: HostFacts, view: HostCardView, now: number): readonly string[] {
  if (!isHeard(host)) return view.facts;
  const since = `since ${formatMoment(host.since, now)}`;
  const listed = view.freshness === 'past' || inFlight === null ? null : inFlight.requests;
  // A host that lists no requests has its number, or that there is none, among the facts of its card.
  return listed === null ? [since, ...view.facts] : [since, `${listed.length} running`, ...view.facts];
}
