import type { ControlReply, LlamaSwapControl } from '../domain/intent-ports.ts';
import type { UpstreamResult } from '../domain/ports.ts';

const GIVEN_UP = { ok: false, failure: { kind: 'reset', detail: 'given up by Drover' } } as const;

/** Takes orders and keeps a list; each is answered when the test says so, or at once with `reply`. */
export class FakeControl implements LlamaSwapControl {
  /** Orders with an effect, in words: `load coder`, `unload *`. */
  readonly orders: string[] = [];
  reply: ControlReply | null = { status: 200, detail: null };
  /** Called with each order before it is answered: what the host does. */
  onOrder: (order: string) => void = () => {};
  active: string | null = null;
  loaded: readonly { readonly modelId: string; readonly state: string }[] = [];
  readonly #open = new Map<(result: UpstreamResult<ControlReply>) => void, string>();

  load(modelId: string, signal: AbortSignal): Promise<UpstreamResult<ControlReply>> {
    return this.#take(`load ${modelId}`, signal);
  }

  unload(modelId: string | null, signal: AbortSignal): Promise<UpstreamResult<ControlReply>> {
    return this.#take(`unload ${modelId ?? '*'}`, signal);
  }

  cancelRequest(requestId: string, signal: AbortSignal): Promise<UpstreamResult<ControlReply>> {
    return this.#take(`cancel ${requestId}`, signal);
  }

  setProfile(name: string | null, signal: AbortSignal): Promise<UpstreamResult<ControlReply>> {
    this.active = name;
    return this.#take(`profile ${name ?? '-'}`, signal);
  }

  activeProfile(): Promise<UpstreamResult<string | null>> {
    return Promise.resolve({ ok: true, value: this.active, clockOffsetMs: null });
  }

  running(): Promise<UpstreamResult<readonly { modelId: string; state: string }[]>> {
    return Promise.resolve({ ok: true, value: [...this.loaded], clockOffsetMs: null });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Answers every order that waits. */
  answer(replyTo: (order: string) => ControlReply): void {
    for (const [resolve, order] of this.#open) {
      resolve({ ok: true, value: replyTo(order), clockOffsetMs: null });
    }
    this.#open.clear();
  }

  #take(order: string, signal: AbortSignal): Promise<UpstreamResult<ControlReply>> {
    if (signal.aborted) return Promise.resolve(GIVEN_UP);
    this.orders.push(order);
    this.onOrder(order);
    if (this.reply) return Promise.resolve({ ok: true, value: this.reply, clockOffsetMs: null });
    return new Promise((resolve) => {
      this.#open.set(resolve, order);
      signal.addEventListener('abort', () => {
        this.#open.delete(resolve);
        resolve(GIVEN_UP);
      });
    });
  }
}
