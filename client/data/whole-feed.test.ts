import { expect, test } from 'vitest';
import { request } from './testing/activity.ts';
import { wholeFeed } from './whole-feed.ts';

const page = { rows: [request({ id: 2 }), request({ id: 1 })], nextCursor: 'more' };
const tally = { hosts: [{ value: 'marlin', count: 90 }], models: [], sources: [], bySource: [] };

test('rows that were fetched are shown, and counted as nothing: what matches is not known before the summary', () => {
  const feed = wholeFeed({ pages: [page], summary: null, isDone: false, version: 1 });
  expect([feed.state, feed.count, feed.rowAt(1)]).toEqual(['ready', 2, page.rows[1]]);
  expect([feed.counts, feed.tally]).toEqual([null, null]);
});

test('the summary counts all that match, gaps among them', () => {
  const summary = { requests: 90, failed: 4, gaps: 1, ...tally };
  const feed = wholeFeed({ pages: [page], summary, isDone: false, version: 1 });
  expect(feed.counts).toEqual({ failed: 4, gaps: 1, total: 91 });
  expect(feed.tally).toMatchObject(tally);
});

test('nothing is only said to be there once the last page was answered', () => {
  const given = { summary: null, version: 1 };
  expect(wholeFeed({ ...given, pages: null, isDone: false }).state).toBe('loading');
  expect(wholeFeed({ ...given, pages: [{ rows: [], nextCursor: null }], isDone: true }).state).toBe('ready');
});
