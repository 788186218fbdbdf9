import { execFileSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { type BenchPart, atMost, shown } from './budget.ts';
import { startChild } from './child.ts';
import { cpuSeconds } from './process-cpu.ts';
import { type Product, startProduct } from './product.ts';

const HOSTS = 10;
const CONNECT_LIMIT_MS = 30_000;
const IDLE_MS = 20_000;
const hosts = z.object({ hosts: z.array(z.object({ liveness: z.string() })) });

/** The real server with ten connected hosts and nobody who looks. */
export const idleBench: BenchPart = {
  name: 'server: idle',
  async run(scratch) {
    const fleet = await startChild(scratch, new URL('./emulated-fleet.ts', import.meta.url), {
      args: [String(HOSTS)],
    });
    const product = await startProduct(scratch, { dataDir: scratch.directory(), metered: false });
    try {
      const started = residentMb(product.pid);
      const urls = await fleet.ask({ type: 'where' }, z.array(z.string()));
      for (const [index, url] of urls.entries()) {
        await product.post('/api/hosts', { id: `host-${index}`, label: `host ${index}`, url });
      }
      await untilConnected(product);
      const cpuBefore = cpuSeconds(product.pid);
      await setTimeout(IDLE_MS);
      const idleShare = ((cpuSeconds(product.pid) - cpuBefore) * 1000) / IDLE_MS;
      return [
        atMost(
          'idle server with 10 hosts',
          110,
          'MB RSS',
          residentMb(product.pid),
          `as \`npm start\` runs it, 20 models each, ${IDLE_MS / 1000} s after all were connected`,
        ),
        shown('  right after its start, no host', 'MB RSS', started),
        shown('  its CPU while idle', '% of a core', idleShare * 100),
      ];
    } finally {
      await product.stop();
      await fleet.stop();
    }
  },
};

async function untilConnected(product: Product): Promise<void> {
  const began = performance.now();
  for (;;) {
    const all = await product.get('/api/hosts', hosts);
    const connected = all.hosts.filter(({ liveness }) => liveness === 'connected').length;
    if (connected === HOSTS) return;
    if (performance.now() - began > CONNECT_LIMIT_MS)
      throw new Error(`${connected} of ${HOSTS} hosts connected`);
    await setTimeout(200);
  }
}

/** Memory of a process from outside: what an operator sees. */
function residentMb(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}
