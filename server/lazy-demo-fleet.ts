import type { DemoFleet } from './services/demo-service.ts';

/** The emulator is loaded when the demo is turned on: most servers never need it. */
export function lazyDemoFleet(): DemoFleet {
  let loaded: DemoFleet | null = null;
  return {
    async start(options) {
      const { DemoFleet } = await import('./emulator/demo/demo-fleet.ts');
      loaded ??= new DemoFleet();
      return loaded.start(options);
    },
    stop: async () => loaded?.stop(),
  };
}
