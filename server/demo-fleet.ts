import type { EmulatedHost } from './emulator/emulated-host.ts';
import type { Era } from './emulator/era.ts';
import type { DemoFleet, DemoHost } from './services/demo-service.ts';

const DAY_MS = 86_400_000;
const ROWS_EACH = 400;

const MEMBERS: readonly {
  readonly id: string;
  readonly label: string;
  readonly era: Era;
  readonly models: number;
}[] = [
  { id: 'demo-attic', label: 'Demo attic', era: 'v262', models: 6 },
  { id: 'demo-garage', label: 'Demo garage', era: 'v250', models: 4 },
  { id: 'demo-office', label: 'Demo office', era: 'v217', models: 3 },
];

/** Three emulated hosts in this process. The emulator is loaded when the demo is turned on: most servers never need it. */
export function createDemoFleet(): DemoFleet {
  let running: readonly EmulatedHost[] = [];
  return {
    async start(): Promise<readonly DemoHost[]> {
      const [{ EmulatedHost }, { numberedModels }] = await Promise.all([
        import('./emulator/emulated-host.ts'),
        import('./emulator/numbered-models.ts'),
      ]);
      const hosts = MEMBERS.map(({ era, models }, index) => {
        const config = { models: numberedModels(models) };
        return new EmulatedHost({ era, config, gpus: index + 1 });
      });
      await Promise.all(hosts.map((host) => host.start()));
      running = hosts;
      hosts.forEach((host, index) => {
        for (let row = 0; row < ROWS_EACH; row += 1) {
          const endedAt = Date.now() - DAY_MS + ((row + 1) * DAY_MS) / (ROWS_EACH + 1);
          host.addActivity(1, { model: `demo-${1 + (row % 3)}`, endedAt, announce: false });
        }
        host.startTraffic({ ratePerSecond: 0.2, seed: index + 1 });
      });
      return MEMBERS.map(({ id, label }, index) => ({ id, label, url: hosts[index]?.url ?? '' }));
    },
    async stop() {
      const hosts = running;
      running = [];
      await Promise.all(hosts.map((host) => host.stop()));
    },
  };
}
