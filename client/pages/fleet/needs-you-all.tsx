import { useFleet } from '../../data/use-fleet.ts';
import { useIntents } from '../../data/use-intents.ts';
import { useNow } from '../../data/use-now.ts';
import { needsYouIntents } from './needs-you-intents.ts';
import type { NeedsYouProps } from './needs-you.tsx';
import { NeedsYou } from './needs-you.tsx';

/** What waits for a person: hosts and models first, as they are given, then what this device asked for. */
export function NeedsYouAll(props: NeedsYouProps) {
  const entries = useIntents();
  const { hosts } = useFleet();
  const now = useNow(60_000);
  return <NeedsYou {...props} items={[...props.items, ...needsYouIntents(entries, hosts, now)]} />;
}
