import { expect, it } from 'vitest';
import { buildTestApp } from '../testing/build-test-app.ts';
import { silentLog } from '../testing/silent-log.ts';
import { PauseSchedule } from './pause-schedule.ts';

const HOUR_MS = 3_600_000;

async function world() {
  const { hosts, clock, truth } = await buildTestApp();
  hosts.create({ label: 'Attic', url: 'http://attic.lan:8080' });
  const pauses = new PauseSchedule({ hosts, clock, log: silentLog() });
  pauses.start();
  const shown = () => hosts.list().map(({ paused, pausedUntil }) => [paused, pausedUntil]);
  const stored = () =>
    truth.store.fleet.hosts().map(({ config }) => [config.paused, config.pausedUntil ?? null]);
  return { hosts, clock, pauses, shown, stored };
}

it('a pause says when it ends, keeps that, and ends then', async () => {
  const { clock, pauses, shown, stored } = await world();
  const until = clock.now() + HOUR_MS;
  pauses.setPaused('attic', true, until);
  expect([shown(), stored()]).toEqual([[[true, until]], [[true, until]]]);
  clock.advance(HOUR_MS - 1_000);
  expect(shown()).toEqual([[true, until]]);
  clock.advance(1_000);
  expect([shown(), stored()]).toEqual([[[false, null]], [[false, null]]]);
});

it('a pause that is asked for again takes the later wish, and one without an end has none', async () => {
  const { clock, pauses, shown } = await world();
  pauses.setPaused('attic', true, clock.now() + HOUR_MS);
  pauses.setPaused('attic', true, null);
  clock.advance(2 * HOUR_MS);
  expect(shown()).toEqual([[true, null]]);
});

it('the end of a pause goes with it: it does not end the next one', async () => {
  const { hosts, clock, pauses, shown } = await world();
  pauses.setPaused('attic', true, clock.now() + HOUR_MS);
  hosts.patch('attic', { label: 'Loft' });
  expect(shown()).toEqual([[true, clock.now() + HOUR_MS]]);
  hosts.patch('attic', { paused: false });
  hosts.patch('attic', { paused: true });
  clock.advance(2 * HOUR_MS);
  expect(shown()).toEqual([[true, null]]);
});

it('a pause of a host of drover.yaml outlives a start, which reads that file again', async () => {
  const { hosts, clock, pauses } = await world();
  const file = [{ id: 'cellar', url: 'http://cellar.lan:8080' }];
  hosts.applyFile(file);
  const until = clock.now() + HOUR_MS;
  pauses.setPaused('cellar', true, until);
  hosts.applyFile(file);
  expect(hosts.configs().find(({ id }) => id === 'cellar')).toMatchObject({
    paused: true,
    pausedUntil: until,
  });
  clock.advance(HOUR_MS);
  expect(hosts.configs().find(({ id }) => id === 'cellar')).toMatchObject({
    paused: false,
    pausedUntil: null,
  });
});
