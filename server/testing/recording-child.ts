import { writeSync } from 'node:fs';
import { SqliteSegmentBuilder } from '../adapters/sqlite/segment-builder.ts';
import { openStore } from '../adapters/sqlite/open-store.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { createHistory } from '../services/history.ts';
import { requestRow } from './activity-rows.ts';
import { hostConfig } from './host-config.ts';
import { silentLog } from './silent-log.ts';

/** Run as a process to be killed: records 500 rows a second and says, after each commit, up to which id it holds. */
const TICK_MS = 20;
const ROWS_PER_TICK = 10;
const HOST = 'box';

const path = process.argv[2] ?? '';
const store = openStore(path, { now: Date.now() });
const history = createHistory({
  store,
  builder: new SqliteSegmentBuilder(path),
  live: { inFlight: () => undefined, seen: () => undefined, performance: () => undefined },
  clock: systemClock,
  log: silentLog(),
  days: { activity: 365, 'model-events': 365, 'perf-5m': 90 },
  perfRawHours: 48,
});
history.start();
if (!history.registry.host(HOST)) history.registry.insertHost(hostConfig(HOST), Date.now());

let id = history.connectors.activityCursor(HOST).lastId ?? 0;
const tail = history.docHost.open(history.docHost.names().tail);
tail?.onUpdate(() => {
  writeSync(1, `${store.activity.cursor(HOST).lastId}\n`);
});
history.docHost.open(history.docHost.names().fleet)?.onUpdate(() => void writeSync(1, 'sealed\n'));
setInterval(() => {
  // Long texts, so that the tail is sealed every few seconds at this rate too.
  const rows = Array.from({ length: ROWS_PER_TICK }, () => {
    id += 1;
    return requestRow({ id, endedAt: Date.now(), error: `request ${id} ${'failed '.repeat(20)}` });
  });
  history.recorder.activity(HOST, rows);
}, TICK_MS);
