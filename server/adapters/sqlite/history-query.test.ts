import { expect, onTestFinished, test } from 'vitest';
import { activityQuery } from '#shared/schemas/activity.ts';
import { requestRows } from '../../testing/activity-rows.ts';
import { temporaryStore } from '../../testing/temporary-store.ts';
import { SqliteHistoryQuery } from './history-query.ts';
import { ThreadCall } from './thread-call.ts';

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

test('a stuck thread is stopped and replaced; calls that waited end as timeout', async () => {
  const source = `const { parentPort } = require('node:worker_threads');
    parentPort.on('message', ({ id, input }) => {
      if (input === 'hang') for (;;);
      parentPort.postMessage({ id, ok: true, output: input });
    });`;
  const thread = new ThreadCall<string, string>({
    module: new URL(
      `data:text/javascript,${encodeURIComponent(`import { createRequire } from 'node:module';
      const require = createRequire('file:///');${source}`)}`,
    ),
    workerData: null,
    deadlineMs: 1000,
    idleMs: 10_000,
    subject: 'The echo',
    maxPending: 2,
  });
  onTestFinished(() => thread.stop());
  expect(await thread.call('one')).toBe('one');
  const stuck = [thread.call('hang'), thread.call('behind')];
  await expect(thread.call('third')).rejects.toMatchObject({ code: 'timeout' });
  for (const call of stuck) await expect(call).rejects.toMatchObject({ code: 'timeout' });
  expect(await thread.call('two')).toBe('two');
});
