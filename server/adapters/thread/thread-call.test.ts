import { describe, expect, it, onTestFinished } from 'vitest';
import { ThreadCall, type ThreadOptions } from './thread-call.ts';

/** A thread that echoes, hangs, dies or fills its memory, as it is told. */
const SOURCE = `
import { parentPort } from 'node:worker_threads';
parentPort.on('message', ({ id, input }) => {
  if (input === 'hang') for (;;);
  if (input === 'sleep') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  if (input === 'die') process.exit(1);
  if (input === 'eat') for (const eaten = []; ; ) eaten.push(new Array(100_000).fill(id));
  parentPort.postMessage({ id, ok: true, output: input });
});
parentPort.postMessage({ ready: true });`;

function echoThread(options: Partial<ThreadOptions> = {}, source = SOURCE): ThreadCall<string, string> {
  const thread = new ThreadCall<string, string>({
    module: new URL(`data:text/javascript,${encodeURIComponent(source)}`),
    workerData: null,
    deadlineMs: 500,
    waitMs: 20_000,
    idleMs: 10_000,
    subject: 'The echo',
    maxPending: 8,
    ...options,
  });
  onTestFinished(() => thread.stop());
  return thread;
}

describe('calls into a thread', () => {
  it.each(['clock', 'cpu'] as const)(
    'a call that hangs is rejected, and those behind it answered (%s)',
    async (deadlineIn) => {
      const thread = echoThread({ deadlineIn });
      expect(await thread.call('one')).toBe('one');
      const hung = thread.call('hang');
      const behind = ['two', 'three'].map((input) => thread.call(input));
      await expect(hung).rejects.toMatchObject({ code: 'timeout' });
      expect(await Promise.all(behind)).toEqual(['two', 'three']);
    },
  );

  it('counts only time that the thread computed, where it is told so', async () => {
    const thread = echoThread({ deadlineMs: 60, deadlineIn: 'cpu' });
    expect(await thread.call('sleep')).toBe('sleep');
    await expect(echoThread({ deadlineMs: 10, deadlineIn: 'cpu' }).call('sleep')).rejects.toMatchObject({
      why: 'overdue',
    });
  });

  it.each(['die', 'eat'])('a thread that ends of a call (%s) takes no other call with it', async (end) => {
    const thread = echoThread({ deadlineMs: 20_000, resourceLimits: { maxOldGenerationSizeMb: 24 } });
    const lost = thread.call(end);
    const behind = thread.call('two');
    await expect(lost).rejects.toMatchObject({ code: 'internal' });
    expect(await behind).toBe('two');
  });

  it('is there while it is held, and gone a while after', async () => {
    const ended =
      'import { parentPort } from "node:worker_threads"; let calls = 0; parentPort.on("message", ({ id }) => parentPort.postMessage({ id, ok: true, output: String(++calls) })); parentPort.postMessage({ ready: true });';
    const thread = echoThread({ idleMs: 20 }, ended);
    const wait = () => new Promise((resolve) => setTimeout(resolve, 150));
    thread.hold(true);
    expect(await thread.call('')).toBe('1');
    await wait();
    expect(await thread.call('')).toBe('2');
    thread.hold(false);
    await wait();
    expect(await thread.call('')).toBe('1');
  });

  it('who waits too long or comes when too many wait is told so', async () => {
    // Long enough for a busy machine to start a thread, shorter than a call may run.
    const thread = echoThread({ waitMs: 1000, deadlineMs: 2500, maxPending: 2 });
    expect(await thread.call('one')).toBe('one');
    const hung = thread.call('hang');
    const behind = thread.call('behind');
    await expect(thread.call('third')).rejects.toMatchObject({ code: 'timeout' });
    for (const call of [behind, hung]) await expect(call).rejects.toMatchObject({ code: 'timeout' });
    expect(await thread.call('two')).toBe('two');
  });

  it('a thread that cannot start rejects its calls instead of starting for ever', async () => {
    const thread = echoThread({}, 'throw new Error("no")');
    await expect(thread.call('one')).rejects.toMatchObject({ code: 'internal' });
  });

  it('a thread without calls ends, and a stopped one takes none', async () => {
    const thread = echoThread({ idleMs: 1 });
    expect(await thread.call('one')).toBe('one');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await thread.call('two')).toBe('two');
    await thread.stop();
    await expect(thread.call('three')).rejects.toMatchObject({ code: 'store_unavailable' });
  });
});
