import { describe, expect, it } from 'vitest';
import type { ObservedInFlight } from '../domain/upstream-event.ts';
import { requestRow } from '../testing/activity-rows.ts';
import { FleetMemory } from '../testing/fleet-memory.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { SourceFeed, SOURCE_WAIT_MS } from './source-feed.ts';

function world() {
  const clock = new ManualClock();
  const fleet = new FleetMemory();
  const feed = new SourceFeed({ hostId: 'box', sink: fleet, clock });
  feed.begin();
  const start = (id: string, source: string): void => {
    const request: ObservedInFlight = {
      id,
      modelId: 'coder',
      path: null,
      method: 'POST',
      startedAtHost: clock.now(),
      elapsedMs: 0,
      responseBytes: null,
      source,
      isNamed: true,
    };
    feed.onEvent({ type: 'in-flight-upsert', request });
  };
  const end = (id: string): void => feed.onEvent({ type: 'in-flight-remove', id });
  /** The row of a request that began `durationMs` ago. */
  const row = (id: number, durationMs: number) =>
    requestRow({ id, modelId: 'coder', path: null, endedAt: clock.now(), durationMs });
  const found = () => fleet.requests('box').map(({ id, source }) => `${id} ${source ?? '–'}`);
  return { clock, fleet, feed, start, end, row, found };
}

describe('rows on their way to the store', () => {
  it('go on at once when nothing is open about them', () => {
    const { clock, feed, start, end, row, found } = world();
    start('1', 'phone');
    clock.advance(900);
    end('1');
    feed.take([row(1, 900)]);
    expect(found()).toEqual(['1 phone']);
  });

  it('wait for a running request that may turn out to be another, later rows behind them, the end of the list last', () => {
    const { clock, fleet, feed, start, end, row, found } = world();
    start('1', 'phone');
    start('2', 'ci');
    clock.advance(900);
    end('1');
    feed.take([row(1, 900)]);
    feed.take([requestRow({ id: 2, modelId: 'other' })]);
    feed.listed();
    expect(found()).toEqual([]);
    expect(fleet.listings).toBe(0);
    clock.advance(SOURCE_WAIT_MS);
    expect(found()).toEqual(['1 phone', '2 –']);
    expect(fleet.listings).toBe(1);
  });

  it('do not wait where waiting would not tell', () => {
    const { clock, feed, start, end, row, found } = world();
    start('1', 'phone');
    start('2', 'ci');
    clock.advance(900);
    end('1');
    end('2');
    feed.take([row(1, 900)]);
    expect(found()).toEqual(['1 –']);
  });

  it('go on with what is known when the stream ends, and not at all when nobody listens any more', () => {
    for (const last of ['end', 'drop'] as const) {
      const { clock, feed, start, end, row, found } = world();
      start('1', 'phone');
      start('2', 'ci');
      clock.advance(900);
      end('1');
      feed.take([row(1, 900)]);
      feed[last]();
      clock.advance(SOURCE_WAIT_MS * 2);
      expect(found()).toEqual(last === 'end' ? ['1 –'] : []);
    }
  });
});
