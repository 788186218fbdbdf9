import { formatMoment, formatTime, plural } from '../../ui/format.ts';
import type { CollectorHop, HostFacts } from '../host-parts/host-view.ts';
import { hostFreshness, isHeard } from '../host-parts/host-view.ts';

/**
 * The line beside the title: `7 hosts, 3 live · 7 models ready · 5 requests running`. Totals count live hosts only and
 * say so where a host's number is not known.
 */
export function fleetSummary(fleet: readonly HostFacts[], hop: CollectorHop, now: number): string {
  if (fleet.length === 0) return 'no hosts yet';
  const noun = fleet.every(({ host }) => host.demo) ? 'demo host' : 'host';
  const hosts = plural(fleet.length, noun);
  const heard = fleet.filter(({ host }) => isHeard(host));
  const current = heard.filter(({ host }) => hostFreshness(host, hop, now) !== 'past');
  if (hop.kind === 'away' && current.length === 0) {
    return `${hosts}, ${heard.length} ${heard.length === 1 ? 'was' : 'were'} live at ${formatMoment(hop.asOf, now)}`;
  }
  if (current.length === 0) return `${hosts}, none live`;
  const ready = current.flatMap(({ models }) => models).filter((model) => model.state === 'ready').length;
  const live = `${heard.length} live${hop.kind === 'away' ? ` at ${formatTime(hop.asOf)}` : ''}`;
  return [`${hosts}, ${live}`, `${plural(ready, 'model')} ready`, runningWords(current)].join(' · ');
}

function runningWords(current: readonly HostFacts[]): string {
  const totals = current.map(({ inFlight }) => inFlight?.total ?? null);
  const known = totals.filter((total) => total !== null);
  const sum = known.reduce((all, total) => all + total, 0);
  const unknown = totals.length - known.length;
  if (unknown === 0) return `${plural(sum, 'request')} running`;
  if (known.length === 0) return 'running requests not known';
  return `requests running ${sum}, unknown on ${unknown}`;
}
