import type { EffectCause } from './records.ts';
import type { ServingScript } from './serving-script.ts';
import type { Answer } from './wire/answer.ts';

/** Whoever sent a request: a socket, or the generator of traffic. */
export interface Caller {
  readonly method: string;
  /** The client's path without query. */
  readonly path: string;
  /** Headers in Go's spelling, first value only. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly remoteIp: string;
  readonly by: EffectCause;
  /** Aborted when the caller hangs up. */
  readonly gone: AbortSignal;
  /** Behaviour asked for by a test or by generated traffic. */
  readonly script: ServingScript;
  head(status: number, headers: Readonly<Record<string, string>>): void;
  write(chunk: string): void;
  /** Whole answer of llama-swap itself. */
  answer(answer: Answer): void;
  end(): void;
  /** Resets the connection. */
  cut(): void;
}

/** What is asked of which model. */
export interface ServeRequest {
  /** From the body, or from an `/upstream/…` path. */
  readonly modelName: string;
  /** Path the model server sees. */
  readonly innerPath: string;
  readonly viaUpstream: boolean;
}
