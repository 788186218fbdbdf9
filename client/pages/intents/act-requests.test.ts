import { expect, test, vi } from 'vitest';
import { loadDraft } from './act-drafts.ts';
import type { ActRequest } from './act-requests.ts';
import { askAct, takeActs } from './act-requests.ts';

test('a double click is one wish; the same later, after it was given up, or another at once is a wish of its own', async () => {
  vi.useFakeTimers();
  const taken: ActRequest[] = [];
  const leave = takeActs((request) => taken.push(request));

  const first = askAct(loadDraft('bluefin', 'demo-1'));
  const second = askAct(loadDraft('bluefin', 'demo-1'));
  expect(taken).toHaveLength(1);
  taken[0]?.end({ outcome: 'queued', id: 'a' });
  expect(await Promise.all([first, second])).toEqual([
    { outcome: 'queued', id: 'a' },
    { outcome: 'queued', id: 'a' },
  ]);

  void askAct(loadDraft('bluefin', 'demo-2'));
  expect(taken).toHaveLength(2);
  taken[1]?.end({ outcome: 'given-up' });
  void askAct(loadDraft('bluefin', 'demo-2'));
  expect(taken).toHaveLength(3);

  vi.advanceTimersByTime(1_000);
  void askAct(loadDraft('bluefin', 'demo-2'));
  expect(taken).toHaveLength(4);
  leave();
  vi.useRealTimers();
});
