import { describe, expect, it } from 'vitest';
import { RunningSeenLog } from './running-seen.ts';
import type { ObservedInFlight } from './upstream-event.ts';

const NOW = 10_000_000;

function request(id: string, changes: Partial<ObservedInFlight> = {}): ObservedInFlight {
  return {
    id,
    modelId: 'coder',
    path: '/v1/chat/completions',
    method: 'POST',
    startedAtHost: NOW,
    responseBytes: null,
    elapsedMs: 0,
    source: 'phone',
    isNamed: true,
    ...changes,
  };
}

describe('requests that were seen running', () => {
  it('last from the host’s own word to the removal', () => {
    const log = new RunningSeenLog();
    log.observe({ type: 'in-flight-upsert', request: request('1') }, NOW);
    log.observe({ type: 'in-flight-upsert', request: request('1', { elapsedMs: 900 }) }, NOW + 1_000);
    expect(log.seen(NOW + 1_500)).toMatchObject([{ ranMs: 1_400, ended: false }]);
    log.observe({ type: 'in-flight-remove', id: '1' }, NOW + 2_000);
    expect(log.seen(NOW + 9_000)).toMatchObject([{ ranMs: 1_900, ended: true, source: 'phone' }]);
  });

  it('stay until their row came, or ten minutes', () => {
    const log = new RunningSeenLog();
    log.observe({ type: 'in-flight-snapshot', requests: [request('1'), request('2')] }, NOW);
    log.observe({ type: 'in-flight-snapshot', requests: [] }, NOW + 500);
    const [first] = log.seen(NOW + 600);
    log.settle(first ? [first.key] : []);
    expect(log.seen(NOW + 600)).toHaveLength(1);
    log.observe({ type: 'in-flight-remove', id: 'nobody' }, NOW + 700_000);
    expect(log.seen(NOW + 700_000)).toEqual([]);
  });

  it('are not known to have ended when the stream broke, and are the same after it', () => {
    const log = new RunningSeenLog();
    log.observe({ type: 'in-flight-snapshot', requests: [request('1'), request('2')] }, NOW);
    log.begin();
    expect(log.seen(NOW + 5_000)).toMatchObject([
      { ranMs: 0, ended: false },
      { ranMs: 0, ended: false },
    ]);
    log.observe({ type: 'in-flight-snapshot', requests: [request('2', { elapsedMs: 6_000 })] }, NOW + 6_000);
    expect(log.seen(NOW + 6_000)).toMatchObject([
      { ranMs: 0, ended: false },
      { ranMs: 6_000, ended: false },
    ]);
  });

  it('are others when an id comes again with another start', () => {
    const log = new RunningSeenLog();
    log.observe({ type: 'in-flight-upsert', request: request('1') }, NOW);
    log.observe({ type: 'in-flight-upsert', request: request('1', { startedAtHost: NOW + 50 }) }, NOW + 60);
    expect(log.seen(NOW + 60)).toMatchObject([{ ended: true }, { ended: false }]);
  });

  it('are bounded', () => {
    const log = new RunningSeenLog();
    for (let id = 0; id < 5_000; id += 1) {
      log.observe({ type: 'in-flight-upsert', request: request(String(id)) }, NOW + id);
    }
    expect(log.seen(NOW).length).toBeLessThanOrEqual(2_000);
  });
});
