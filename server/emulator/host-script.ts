import { must } from '#shared/lib/assert.ts';
import type { NewActivity } from './activity-ring.ts';
import type { LoadOutcome } from './config.ts';
import type { LlamaSwap } from './llama-swap.ts';
import type { ServingScript } from './serving-script.ts';
import { SyntheticActivity, type SyntheticRow } from './synthetic-activity.ts';

/** What tests and the demo may do to a llama-swap that runs, beside what a client can: the script of an emulated host. */
export abstract class HostScript {
  /** The running llama-swap; throws when there is none. */
  abstract get llamaSwap(): LlamaSwap;

  /** A config file that does not parse: a line in the log, nothing else. */
  reloadInvalid(detail = "yaml: line 1: did not find expected ',' or ']'"): void {
    const { logs } = this.llamaSwap;
    logs.proxy('INFO', 'reloading configuration');
    logs.proxy(
      'WARN',
      `failed to reload config: failed to parse config /srv/llamaswap/config.yaml: ${detail}`,
    );
  }

  /** Loads a model as somebody's request would; resolves with its state when that is over. */
  async load(modelId: string): Promise<'ready' | 'failed'> {
    const result = await this.llamaSwap.router.acquire(modelId, 'script');
    if (!result.ok) return 'failed';
    result.lease.release();
    return 'ready';
  }

  async unload(modelId: string): Promise<void> {
    await this.llamaSwap.router.unload(modelId, 'script');
  }

  /** A ready model's process dies by itself. */
  crash(modelId: string): void {
    must(this.llamaSwap.processes.get(modelId), `model ${modelId}`).crash();
  }

  /** How the next starts of a model end, first one first; then its configured outcome again. */
  scriptStarts(modelId: string, outcomes: readonly LoadOutcome[]): void {
    must(this.llamaSwap.processes.get(modelId), `model ${modelId}`).scriptStarts(outcomes);
  }

  /** How a model answers its next requests, first one first: slow, stalled, cut, dying, failing, without usage. */
  scriptAnswers(modelId: string, scripts: readonly ServingScript[]): void {
    must(this.llamaSwap.processes.get(modelId), `model ${modelId}`).scriptAnswers(scripts);
  }

  /** Finished requests at once, without serving any: rows with ids, messages to every client. */
  addActivity(count: number, row: SyntheticRow = {}): { readonly firstId: number; readonly lastId: number } {
    return new SyntheticActivity(this.llamaSwap).add(count, row);
  }

  /** A past: rows that ended before now, without any message. */
  seedActivity(rows: readonly NewActivity[]): void {
    for (const row of rows) this.llamaSwap.activity.add(row);
  }

  /** `lines` log lines of `bytes` each, at once. */
  floodLogs(options: {
    readonly lines: number;
    readonly bytes?: number;
    readonly source?: 'proxy' | 'upstream';
  }): void {
    const text = `${'x'.repeat(Math.max(0, (options.bytes ?? 120) - 1))}\n`;
    for (let line = 0; line < options.lines; line += 1) {
      this.llamaSwap.logs.write(options.source ?? 'upstream', text);
    }
  }

  /** The same, spread over time; resolves when the last line is written. */
  async floodLogsFor(options: {
    readonly lines: number;
    readonly perSecond: number;
    readonly bytes?: number;
    readonly source?: 'proxy' | 'upstream';
  }): Promise<void> {
    const beganAt = performance.now();
    for (let written = 0; written < options.lines;) {
      const due = Math.floor(((performance.now() - beganAt) / 1000) * options.perSecond);
      const lines = Math.max(0, Math.min(options.lines, due) - written);
      this.floodLogs({ ...options, lines });
      written += lines;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Bytes as they are to every client of `/api/events`: malformed frames, comments, lines of megabytes. */
  injectFrame(bytes: string): void {
    this.llamaSwap.hub.raw(bytes);
  }

  /** A well-framed message of any type with any data text. */
  injectMessage(type: string, dataJson: string): void {
    this.llamaSwap.hub.send(type, dataJson);
  }

  /** The vendor's GPU tool dies (or comes back): old rows stay, new ones stop. */
  stallGpus(stalled: boolean): void {
    this.llamaSwap.performance.gpuStalled = stalled;
  }
}
