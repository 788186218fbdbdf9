import { describe, expect, it, test } from 'vitest';
import type { ListedDevice } from '#shared/schemas/auth.ts';
import type { IntentEntry } from '../../data/intents/types.ts';
import { intentEntry } from '../../data/testing/intent-entry.ts';
import { deviceBlocks, queuedWords, seenWords } from './device-words.ts';

const NOW = new Date(2026, 10, 30, 14, 30).getTime();

function device(id: string, more: Partial<ListedDevice> = {}): ListedDevice {
  return { id, label: id, role: 'admin', createdAt: NOW, lastSeenAt: NOW, current: false, ...more };
}

test('the last admin cannot go or become less, and that is said', () => {
  const ana = device('ana', { current: true });
  const ben = device('ben', { role: 'operator' });
  const viewer = { role: 'admin', isLive: true } as const;
  const alone = deviceBlocks(ana, [ana, ben], viewer);
  expect(alone.revoke).toContain('last admin');
  expect(alone.role('operator')).toContain('last admin');
  expect(alone.role('admin')).toBeNull();
  const two = [ana, device('cy')];
  expect(deviceBlocks(ana, two, viewer)).toMatchObject({ revoke: null, rename: null });
  expect(deviceBlocks(ben, [ana, ben], viewer).revoke).toBeNull();
});

test('who is no admin renames their own device and nothing else', () => {
  const own = deviceBlocks(device('ben', { role: 'viewer', current: true }), [], {
    role: 'viewer',
    isLive: true,
  });
  expect(own.rename).toBeNull();
  expect(own.revoke).toBe('Admins only');
  expect(own.role('admin')).toBe('Admins only');
});

test('without the collector nothing can be changed', () => {
  const blocks = deviceBlocks(device('ana'), [], { role: 'admin', isLive: false });
  expect([blocks.rename, blocks.revoke, blocks.role('viewer')]).toEqual(
    Array.from({ length: 3 }, () => 'This needs the collector'),
  );
});

test('when a device was last here', () => {
  expect(seenWords(device('a', { lastSeenAt: NOW - 60_000 }), NOW)).toBe('now');
  expect(seenWords(device('a', { lastSeenAt: NOW - 20 * 60_000 }), NOW)).toBe('14:10, 20 min ago');
  expect(seenWords(device('a', { lastSeenAt: NOW - 3 * 86_400_000 }), NOW)).toBe('Fri 27 Nov, 14:30');
});

describe('what a revoked device still has queued', () => {
  const host = [{ id: 'marlin', label: 'Marlin' }];
  const own = (change: Partial<IntentEntry>): IntentEntry =>
    intentEntry({ author: { kind: 'device', id: 'd2', label: 'Ben' }, isMine: false, ...change });

  it('is named, apart from what goes on and from what others asked for', () => {
    const entries = [
      own({ id: 'a', state: 'waiting' }),
      own({ id: 'b', state: 'running', kind: 'model.load' }),
      own({ id: 'c', state: 'succeeded' }),
      intentEntry({ id: 'd', state: 'waiting', kind: 'model.load' }),
    ];
    expect(queuedWords('d2', entries, host)).toBe(
      'Still queued and then refused: Unload coder on Marlin. What it has not sent yet is refused too. Already claimed, this goes on: Load coder on Marlin.',
    );
    expect(queuedWords('d3', entries, host)).toBe(
      'What it still has queued is refused. What the collector has already claimed goes on.',
    );
  });

  it('is bounded', () => {
    const entries = Array.from({ length: 9 }, (_, index) => own({ id: String(index), state: 'waiting' }));
    expect(queuedWords('d2', entries, host)).toContain(' and 5 more.');
  });
});
