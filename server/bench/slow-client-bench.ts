import { z } from 'zod';
import { type BenchPart, atLeast, atMost, shown } from './budget.ts';
import { startChild } from './child.ts';
import { usage } from './process-meter.ts';
import { startViewers } from './viewers.ts';

const SLOW_CLIENTS = 10;
/** One host with this many models that all change, ten times a second: some 0.8 MB/s a socket. */
const MODELS = 400;
const CHURN_MS = 30_000;
/** The limit that cuts a socket at once, and the frames that were under way when it was passed. */
const SOCKET_LIMIT_MB = 8.25;

const where = z.object({ url: z.string(), key: z.string(), fleet: z.string(), tail: z.string() });
const churned = usage.extend({
  largestBacklog: z.number(),
  shedFrames: z.number(),
  ends: z.record(z.string(), z.number()),
});

/** Sockets that are opened and never read, while the fleet document changes as much as it can. */
export const slowClientBench: BenchPart = {
  name: 'herd: slow clients',
  async run(scratch) {
    const collector = await startChild(scratch, new URL('./collector-child.ts', import.meta.url), {
      args: [scratch.directory()],
    });
    const viewers = await startViewers(scratch);
    try {
      const { url, key, fleet } = await collector.ask({ type: 'where' }, where);
      await viewers.connectPaused({ url, key, document: fleet, clients: SLOW_CLIENTS });
      const { largestBacklog, shedFrames, ends, stallMs, rssMb } = await collector.ask(
        { type: 'churn', models: MODELS, durationMs: CHURN_MS },
        churned,
      );
      const what = `${SLOW_CLIENTS} sockets that read nothing, ${CHURN_MS / 1000} s of ${MODELS} models changing ten times a second`;
      return [
        atLeast('slow sockets cut off', SLOW_CLIENTS, 'sockets', ends['terminated'] ?? 0, what),
        atMost(
          'largest backlog of a slow socket',
          SOCKET_LIMIT_MB,
          'MB',
          largestBacklog / SLOW_CLIENTS / 1024 / 1024,
          'cut after 10 s over 1 MB, at once over 8 MB; mean of the sockets at its worst',
        ),
        atLeast('live frames left out for them before', 1, 'frames', shedFrames, 'above 256 KB of backlog'),
        shown(
          'collector’s longest event-loop stall meanwhile',
          'ms',
          stallMs,
          `memory ${rssMb.toFixed(0)} MB`,
        ),
      ];
    } finally {
      await viewers.stop();
      await collector.stop();
    }
  },
};
