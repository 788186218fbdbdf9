import { describe, expect, it } from 'vitest';
import type { HostProfiles } from '#shared/schemas/host.ts';
import { FakeLlamaSwapClient, FEATURES_V250 } from '../testing/fake-llama-swap-client.ts';
import { FleetMemory } from '../testing/fleet-memory.ts';
import { statusRow } from '../testing/model-rows.ts';
import { silentLog } from '../testing/silent-log.ts';
import { ProfileFeed } from './profile-feed.ts';

const NAMES = [
  { id: 'day', description: 'coding first' },
  { id: 'night', description: '' },
];
const listed = (active: string | null, names = NAMES): HostProfiles => ({ active, names });
const settled = () => new Promise((resolve) => setImmediate(resolve));

function rig(last?: HostProfiles | null) {
  const client = new FakeLlamaSwapClient();
  const store = new FleetMemory();
  if (last !== undefined) store.hostStatus('marlin', statusRow({ profiles: last }));
  const told: (HostProfiles | null)[] = [];
  const feed: ProfileFeed = new ProfileFeed({
    hostId: 'marlin',
    client,
    store,
    log: silentLog(),
    onProfiles: () => told.push(feed.current),
  });
  const connect = (profileList: HostProfiles | null, active: string | null) => {
    feed.begin();
    feed.onActive(active);
    feed.synchronise({ ...FEATURES_V250, profileList });
  };
  return { client, feed, told, connect };
}

describe('profiles of a host', () => {
  it('are not known before a host was reached, and last known after a restart', () => {
    expect(rig().feed.current).toBeNull();
    expect(rig(listed('day')).feed.current).toEqual(listed('day'));
  });

  it('come with the probes of a connect: nothing more is asked, and the same again is no news', () => {
    const { client, told, connect } = rig();
    connect(listed('day'), 'day');
    connect(listed('day'), 'day');
    expect(told).toEqual([listed('day')]);
    expect(client.asked).toEqual([]);
  });

  it('are read once for each switch; which one is active the stream tells better than a list that is late', async () => {
    const { client, feed, told, connect } = rig();
    connect(listed('day'), 'day');
    client.profileList = listed('day', [...NAMES, { id: 'new', description: '' }]);
    feed.onActive('night');
    expect(feed.current).toEqual(listed('night'));
    await settled();
    expect(feed.current).toEqual({ ...client.profileList, active: 'night' });
    expect([client.asked, told.length]).toEqual([['profiles'], 3]);
  });

  it('keep what is told during the probes, however old the list of the probes is', () => {
    const { feed, connect } = rig();
    connect(listed('day'), null);
    expect(feed.current).toEqual(listed(null));
  });

  it('are never asked for where the host has none, sleeps behind a proxy, or is gone', async () => {
    const { client, feed, connect } = rig(listed('day'));
    feed.begin();
    feed.synchronise({ ...FEATURES_V250, profiles: false, profileList: null, wolProxy: true });
    feed.onActive('night');
    await settled();
    expect(feed.current).toBeNull();
    connect(listed('day'), 'day');
    feed.end();
    feed.onActive('night');
    await settled();
    expect(client.asked).toEqual([]);
  });

  it('of an answer that comes after the connection ended are not taken', async () => {
    const { client, feed, connect } = rig();
    connect(listed('day'), 'day');
    client.hold = settled().then(() => undefined);
    client.profileList = listed(null, []);
    feed.onActive('night');
    feed.end();
    await settled();
    await settled();
    expect(feed.current).toEqual(listed('night'));
  });
});
