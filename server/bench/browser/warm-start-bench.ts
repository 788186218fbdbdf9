import { setTimeout } from 'node:timers/promises';
import { startTcpProxy } from '../../testing/tcp-proxy.ts';
import { type BenchPart, atMost, shown } from '../budget.ts';
import { ROWS_PER_DAY, fillHistory } from '../fill-history.ts';
import { percentile } from '../percentile.ts';
import { startProduct } from '../product.ts';
import { APP, type Watch, firstPaint, openPage, openProfile } from './browser.ts';

const RATE = 4;
const ROUNDS = 5;
const WAIT_MS = 60_000;
/** The copy is written within a quarter of a second, segments as they come. */
const SETTLE_MS = 4000;

const HOST: Watch = { name: 'a host', selector: 'main [id^="host-"], main tbody tr' };
const ROW: Watch = { name: 'a row', selector: '[id^="row-"]' };
const DAY: Watch = {
  name: 'a day',
  selector: '[role="grid"]',
  attribute: 'aria-rowcount',
  atLeast: ROWS_PER_DAY * 0.985,
};

/** A device that was here before, opened again without a network. */
export const warmStartBench: BenchPart = {
  name: 'browser: warm start',
  async run(scratch) {
    const history = await fillHistory(scratch.directory(), { rows: ROWS_PER_DAY });
    const product = await startProduct(scratch, { dataDir: history.dataDir, metered: false });
    const cable = await startTcpProxy(Number(new URL(product.url).port));
    scratch.onEnd(() => cable.close());
    const origin = `http://127.0.0.1:${cable.port}`;
    const context = await openProfile(scratch, product, origin);
    try {
      const first = await openPage(context, [DAY]);
      await first.page.goto(`${origin}/activity`);
      await first.mark(DAY.name, WAIT_MS);
      await first.page.evaluate('navigator.serviceWorker.ready.then(() => null)');
      await setTimeout(SETTLE_MS);
      await first.page.close();
      cable.cut();
      await context.setOffline(true);
      const samples = {
        paint: new Array<number>(),
        app: new Array<number>(),
        host: new Array<number>(),
        row: new Array<number>(),
        day: new Array<number>(),
      };
      for (let round = 0; round < ROUNDS; round += 1) {
        const fleet = await openPage(context, [HOST, APP]);
        await fleet.throttle(RATE);
        await fleet.page.goto(origin);
        samples.host.push(await fleet.mark(HOST.name, WAIT_MS));
        samples.app.push(await fleet.mark(APP.name, WAIT_MS));
        samples.paint.push(await firstPaint(fleet.page));
        await fleet.page.close();
        const activity = await openPage(context, [ROW, DAY]);
        await activity.throttle(RATE);
        await activity.page.goto(`${origin}/activity`);
        samples.row.push(await activity.mark(ROW.name, WAIT_MS));
        samples.day.push(await activity.mark(DAY.name, WAIT_MS));
        await activity.page.close();
      }
      const median = (of: readonly number[]): number => percentile(of, 0.5);
      const note = `median of ${ROUNDS}, new page, service worker and IndexedDB, cable cut; throttled is the main thread`;
      return [
        atMost(`warm offline start, first host on screen, ${RATE}×`, 400, 'ms', median(samples.host), note),
        shown('  first contentful paint, the frame', 'ms', median(samples.paint)),
        shown('  first paint of the app', 'ms', median(samples.app)),
        shown('  first row of activity', 'ms', median(samples.row)),
        shown('  all rows of 24 h', 'ms', median(samples.day)),
      ];
    } finally {
      await context.close();
      await cable.close();
      await product.stop();
    }
  },
};
