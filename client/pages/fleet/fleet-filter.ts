import type { FleetSearch } from './fleet-search.ts';
import type { HostFacts } from '../host-parts/host-view.ts';
import { isTrouble } from '../host-parts/host-view.ts';

/** Hosts that match the address: a name or a model holds the text, and trouble when only trouble is asked for. */
export function matchingHosts(fleet: readonly HostFacts[], search: FleetSearch): readonly HostFacts[] {
  const text = search.q?.toLowerCase() ?? '';
  return fleet.filter((facts) => {
    if (search.show === 'trouble' && !isTrouble(facts)) return false;
    if (text === '' || facts.host.label.toLowerCase().includes(text)) return true;
    return facts.models.some((model) => model.modelId.toLowerCase().includes(text));
  });
}
