import { expect, onTestFinished, test } from 'vitest';
import { activityQuery } from '#shared/schemas/activity.ts';
import { requestRows } from '../../testing/activity-rows.ts';
import { temporaryStore } from '../../testing/temporary-store.ts';
import { SqliteHistoryQuery } from './history-query.ts';

test('answers from a thread, sees new commits, and refuses a bad cursor', async () => {
  const store = temporaryStore();
  const history = new SqliteHistoryQuery(store.connection.path);
  onTestFinished(() => history.stop());
  expect(await history.activity(activityQuery.parse({}))).toEqual({ rows: [], nextCursor: null });
  store.activity.insert(requestRows(3), 1);
  const page = await history.activity(activityQuery.parse({ q: 'qwen', limit: 2 }));
  expect(page.rows).toHaveLength(2);
  await expect(history.activity(activityQuery.parse({ cursor: 'nope' }))).rejects.toMatchObject({
    code: 'invalid_cursor',
  });
});

test('past its own deadline a search ends as timeout, and the next one is answered', async () => {
  const store = temporaryStore();
  const history = new SqliteHistoryQuery(store.connection.path, { deadlineMs: -1 });
  onTestFinished(() => history.stop());
  await expect(history.activity(activityQuery.parse({}))).rejects.toMatchObject({ code: 'timeout' });
});
