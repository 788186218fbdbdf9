import { onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import type { EmulatorConfig } from '../emulator/config.ts';
import { traitsOf, type Era } from '../emulator/era.ts';
import { startEmulator, type RunningProcess } from '../testing/processes.ts';

const addedView = z.object({ firstId: z.number(), lastId: z.number() });
const stateView = z.object({
  eventClients: z.number(),
  lastActivityId: z.number().nullable(),
  models: z.array(z.object({ id: z.string(), state: z.string(), inFlight: z.number() })),
});
const requestsView = z.object({ requests: z.array(z.object({ method: z.string(), path: z.string() })) });
const effectsView = z.object({
  effects: z.array(z.object({ kind: z.string(), modelId: z.string().nullable() })),
});

/** One emulated llama-swap as a process of its own, scripted over its control endpoint. */
export class EmulatorProcess {
  readonly era: Era;
  readonly #process: RunningProcess;

  private constructor(era: Era, process: RunningProcess) {
    this.era = era;
    this.#process = process;
    onTestFinished(() => process.kill('SIGKILL'));
  }

  static async start(
    era: Era,
    options: {
      readonly models?: number;
      readonly rate?: number;
      readonly config?: Partial<EmulatorConfig>;
    } = {},
  ): Promise<EmulatorProcess> {
    const { models = 3, rate = 0, config } = options;
    const args = [
      '--port',
      '0',
      '--era',
      era,
      '--models',
      String(models),
      '--rate',
      String(rate),
      '--gpus',
      '0',
    ];
    const emulator = new EmulatorProcess(era, await startEmulator(args));
    if (config) {
      // The size of the ring is read at a start only.
      await emulator.command('reload', config);
      await emulator.restart();
    }
    return emulator;
  }

  get url(): string {
    return this.#process.url;
  }

  get port(): number {
    return this.#process.port;
  }

  /** The id its era gives the first row. */
  get firstId(): number {
    return traitsOf(this.era).activityRow.firstId;
  }

  /** `POST /_emulator/<name>`; throws with the emulator's own words when it refuses. */
  async command(name: string, body: unknown = {}): Promise<unknown> {
    const reply = await fetch(`${this.url}/_emulator/${name}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    if (reply.status !== 200) throw new Error(`${name}: ${await reply.text()}`);
    return reply.json();
  }

  /** Finished requests at once; returns the ids they got. */
  async addRows(
    count: number,
    row: { readonly model?: string; readonly status?: number; readonly error?: string } = {},
  ): Promise<{ readonly firstId: number; readonly lastId: number }> {
    return addedView.parse(await this.command('activity', { count, ...row }));
  }

  /** Ends llama-swap and starts it again; resolves once it is there. */
  async restart(): Promise<void> {
    const starts = async () => (await this.effects()).filter(({ kind }) => kind === 'started').length;
    const before = await starts();
    await this.command('restart');
    const isBack = async () => {
      if ((await starts()) === before) throw new Error(`${this.era} has not started again`);
    };
    await vi.waitFor(isBack, { timeout: 10_000, interval: 20 });
  }

  async state(): Promise<z.output<typeof stateView>> {
    return stateView.parse(await this.#view('state'));
  }

  /** Path without query of every request it received. */
  async requestedPaths(): Promise<readonly string[]> {
    const { requests } = requestsView.parse(await this.#view('requests'));
    return requests.map(({ path }) => path.split('?')[0] ?? path);
  }

  async effects(): Promise<readonly { readonly kind: string; readonly modelId: string | null }[]> {
    return effectsView.parse(await this.#view('effects')).effects;
  }

  async #view(name: string): Promise<unknown> {
    return (await fetch(`${this.url}/_emulator/${name}`)).json();
  }
}
