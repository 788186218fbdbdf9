import type { Log } from './domain/ports.ts';

/** What has to be undone when the server ends, in reverse order of how it was started; one failure stops no other. */
export class StopStack {
  readonly #log: Log;
  readonly #steps: { readonly what: string; readonly stop: () => unknown }[] = [];

  constructor(log: Log) {
    this.#log = log;
  }

  add(what: string, stop: () => unknown): void {
    this.#steps.push({ what, stop });
  }

  async unwind(): Promise<void> {
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step.stop();
      } catch (error) {
        this.#log.error({ step: step.what, error: String(error) }, 'a part did not stop cleanly');
      }
    }
  }
}
