import { parentPort } from 'node:worker_threads';
import { must } from '#shared/lib/assert.ts';
import { AppError } from '../../errors.ts';
import type { ThreadReply, ThreadRequest } from './thread-protocol.ts';

/** Answers calls in a worker thread, one after the other. */
export function serveThread(answer: (input: unknown) => unknown): void {
  const port = must(parentPort, 'the port of a worker thread');
  const say = (reply: ThreadReply<unknown>): void => port.postMessage(reply, []);
  port.on('message', ({ id, input }: ThreadRequest) => {
    try {
      say({ id, ok: true, output: answer(input) });
    } catch (error) {
      const code = error instanceof AppError ? error.code : null;
      say({ id, ok: false, code, message: error instanceof Error ? error.message : String(error) });
    }
  });
  say({ ready: true });
}
