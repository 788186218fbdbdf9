import { peerModels } from './model-listing.ts';
import type { Listing } from './model-listing.ts';

/** What a name in a request stands for. */
export type Resolved =
  | { readonly kind: 'model'; readonly modelId: string; readonly selector: string | null }
  | { readonly kind: 'peer'; readonly id: string; readonly peer: string }
  | { readonly kind: 'unknown' };

/** Pin of the active profile, else selector, else id, alias or peer. */
export function resolveName(listing: Listing & { readonly profile: string | null }, name: string): Resolved {
  const { config, traits, processes } = listing;
  const pinned = config.profiles.find(({ id }) => id === listing.profile)?.pins?.[name];
  if (pinned !== undefined) return local(listing, pinned, null);
  const selector = traits.profiles ? config.selectors.find(({ id }) => id === name) : undefined;
  if (!selector) return local(listing, name, null);
  const ready = selector.targets.find((target) => processes.get(target)?.state === 'ready');
  return local(listing, ready ?? selector.targets[0] ?? name, name);
}

function local(listing: Listing, name: string, selector: string | null): Resolved {
  const model = listing.config.models.find(({ id, aliases }) => id === name || aliases.includes(name));
  if (model) return { kind: 'model', modelId: model.id, selector };
  const peer = peerModels(listing).find(({ id }) => id === name);
  return peer ? { kind: 'peer', id: peer.id, peer: peer.peer } : { kind: 'unknown' };
}
