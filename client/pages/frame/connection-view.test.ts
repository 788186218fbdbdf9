import { describe, expect, test } from 'vitest';
import type { ConnectionState } from '../../data/types.ts';
import { connectionView } from './connection-view.ts';

const now = new Date(2026, 10, 30, 14, 11, 4).getTime();
const base: ConnectionState = {
  kind: 'live',
  since: now - 19 * 60_000,
  dataAsOf: now - 19 * 60_000,
  lastSyncAt: now - 19 * 60_000,
  storage: 'saved',
  storageError: null,
  unsyncedReason: null,
};

describe('the words of the pill', () => {
  test.each([
    ['live', 'Live'],
    ['connecting', 'Connecting, showing 13:52'],
    ['reconnecting', 'Reconnecting, data from 13:52'],
    ['offline', 'Offline 19 min'],
    ['collector-silent', 'Collector silent since 13:52'],
    ['restarting', 'Collector restarting'],
    ['sign-in', 'Sign in again'],
    ['removed', 'Removed from this fleet'],
    ['app-too-old', 'App too old, reload'],
    ['refetching', 'History restored, refetching'],
  ] as const)('%s reads %s', (kind, word) => {
    expect(connectionView({ ...base, kind }, now).word).toBe(word);
  });

  test('only a live connection is green', () => {
    const kinds = [
      'connecting',
      'reconnecting',
      'offline',
      'collector-silent',
      'restarting',
      'sign-in',
    ] as const;
    for (const kind of kinds) expect(connectionView({ ...base, kind }, now).hue).not.toBe('ready');
  });

  test('without a copy nothing is said to be shown', () => {
    expect(connectionView({ ...base, kind: 'connecting', dataAsOf: null }, now).word).toBe('Connecting');
  });

  test('what is not kept is said beside Live', () => {
    expect(connectionView({ ...base, storage: 'insecure' }, now).word).toBe('Live, not kept offline');
    const refused = connectionView({ ...base, storage: 'not-saved', storageError: 'Quota exceeded.' }, now);
    expect(refused).toMatchObject({
      word: 'Not saved on this device',
      meaning: 'Quota exceeded.',
      hue: 'warn',
    });
  });
});
