import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { fleetCell, modelsCell } from '../../data/fleet-state.ts';
import type { IntentEntry } from '../../data/intents/types.ts';
import { serverNow } from '../../data/server-clock.ts';
import { useFleet } from '../../data/use-fleet.ts';
import { useIntents, useOutbox } from '../../data/use-intents.ts';
import { Announce } from '../../ui/announce.tsx';
import { showFailure, showToast } from '../../ui/toast.tsx';
import type { HostFacts } from '../host-parts/host-view.ts';
import { isInView, outcomeNotices, summedNotice } from './outcome-view.ts';

/** Read when something ended, not watched: what runs changes all the time, and no filter asks for it. */
function fleetFacts(): readonly HostFacts[] {
  const models = Map.groupBy(modelsCell.get(), ({ hostId }) => hostId);
  return fleetCell.get().hosts.map((host) => ({ host, models: models.get(host.id) ?? [], inFlight: null }));
}

/** Says what became of this device's actions: in a toast, or to a screen reader alone where the page shows it. */
export function OutcomeNotices() {
  const router = useRouter();
  const entries = useIntents();
  const { review } = useOutbox();
  const { hosts } = useFleet();
  const before = useRef<ReadonlyMap<string, IntentEntry> | null>(null);
  const [said, setSaid] = useState('');

  const tell = useEffectEvent((known: ReadonlyMap<string, IntentEntry>) => {
    const notices = outcomeNotices(known, entries, {
      now: serverNow(),
      hostLabel: (hostId) => hosts.find(({ id }) => id === hostId)?.label ?? null,
    });
    // The review lists what expired beside what may still be sent.
    const isListed = (id: string): boolean =>
      review !== null && entries.find((entry) => entry.id === id)?.state === 'expired-here';
    if (notices.length === 0) return;
    const { pathname, search: shown } = router.state.location;
    const place = { path: pathname, search: shown, fleet: fleetFacts() };
    const inView = notices.filter((notice) => isInView(notice, place) || isListed(notice.id));
    if (inView.length > 0) setSaid(inView.map(({ title, detail }) => `${title}: ${detail}`).join(' '));
    const rest = notices.filter((notice) => !inView.includes(notice));
    const [first] = rest;
    if (first === undefined) return;
    const { title, detail, isFailure } = rest.length === 1 ? first : summedNotice(rest, entries);
    const search = rest.length === 1 ? { id: first.id } : {};
    const action = { label: 'Show', act: () => void router.navigate({ to: '/outbox', search }) };
    (isFailure ? showFailure : showToast)({ title, detail, action, isPolite: true });
  });

  useEffect(() => {
    const known = before.current;
    before.current = new Map(entries.map((entry) => [entry.id, entry]));
    if (known !== null) tell(known);
  }, [entries]);
  return <Announce message={said} />;
}
