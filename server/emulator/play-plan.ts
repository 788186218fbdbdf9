import type { Plan } from './completion.ts';
import type { HostTime } from './host-time.ts';

/** One write of a streamed answer, as it really happened. */
export interface PlayedWrite {
  readonly at: number;
  readonly bytes: number;
  readonly token: boolean;
}

/** Where an answer is played to. */
export interface PlanSink {
  /** Before the first byte of an answer that was not announced by its headers. */
  readonly begin: () => void;
  readonly write: (chunk: string) => void;
}

const SHORTEST_WAIT_MS = 0.5;
const BURST = 64;

/** Writes a plan's parts when they are due, until `stop` is aborted; `writes` gets their times as they happen. */
export async function playPlan(
  plan: Plan,
  sink: PlanSink,
  options: { readonly time: HostTime; readonly stop: AbortSignal; readonly writes: PlayedWrite[] },
): Promise<void> {
  const { time, stop, writes } = options;
  let due = time.precise();
  let burst = 0;
  for (const part of plan.parts) {
    due += part.afterMs;
    const waitMs = due - time.precise();
    if (waitMs > SHORTEST_WAIT_MS) await sleep(waitMs, time, stop);
    if (stop.aborted) return;
    sink.begin();
    sink.write(part.chunk);
    writes.push({ at: time.precise(), bytes: Buffer.byteLength(part.chunk), token: part.token });
    // Many tokens due at once must not starve the socket they are written to.
    burst = waitMs > SHORTEST_WAIT_MS ? 0 : burst + 1;
    if (burst % BURST === BURST - 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Waits by the host's clock, or until `stop`; an infinite wait ends with `stop` only. */
export function sleep(delayMs: number, time: HostTime, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) return resolve();
    const done = (): void => {
      cancel();
      stop.removeEventListener('abort', done);
      resolve();
    };
    const cancel = Number.isFinite(delayMs) ? time.clock.after(delayMs, done) : () => {};
    stop.addEventListener('abort', done);
  });
}
