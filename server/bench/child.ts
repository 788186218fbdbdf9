import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';
import type { Scratch } from './scratch.ts';

/** A process of the benchmark that answers questions over IPC. */
export interface Child {
  readonly pid: number;
  /** Asks and waits for the answer; rejects with what the child threw. */
  ask<S extends z.ZodType>(question: unknown, answer: S): Promise<z.output<S>>;
  stop(): Promise<void>;
}

const reply = z.union([
  z.object({ id: z.number(), value: z.unknown() }),
  z.object({ id: z.number(), error: z.string() }),
]);
const request = z.object({ id: z.number(), question: z.unknown() });

/** Starts a TypeScript module as a process of its own; it ends with the run. */
export async function startChild(
  scratch: Scratch,
  module: URL,
  options: { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Child> {
  const child = fork(module, options.args ?? [], {
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  scratch.onEnd(stop);
  return { pid: child.pid ?? 0, ask: askOver(child), stop };
}

/** Questions and answers over a child's IPC channel. */
export function askOver(child: ChildProcess): Child['ask'] {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let lastId = 0;
  child.on('message', (message) => {
    const answer = reply.parse(message);
    const call = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('error' in answer) call?.reject(new Error(answer.error));
    else call?.resolve(answer.value);
  });
  child.on('exit', (code, signal) => {
    for (const call of waiting.values()) call.reject(new Error(`the child ended (${code ?? signal})`));
    waiting.clear();
  });
  return async (question, answer) => {
    lastId += 1;
    const id = lastId;
    const value = await new Promise<unknown>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      child.send({ id, question });
    });
    return answer.parse(value);
  };
}

/** In a child: answers each question with what `answer` returns, and ends when the parent is gone. */
export function answerParent(answer: (question: unknown) => unknown): void {
  process.on('message', (message) => {
    const { id, question } = request.parse(message);
    void Promise.resolve()
      .then(() => answer(question))
      .then(
        (value) => process.send?.({ id, value }),
        (error: unknown) =>
          process.send?.({ id, error: error instanceof Error ? error.stack : String(error) }),
      );
  });
  process.on('disconnect', () => process.exit(0));
}
