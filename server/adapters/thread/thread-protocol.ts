/** A call to a worker thread. */
export interface ThreadRequest {
  readonly id: number;
  readonly input: unknown;
}

/** Its answer; `code` is an error code of the API, or null for a fault of ours. */
export type ThreadReply<Output> =
  /** Said once, when the thread can be called. */
  | { readonly ready: true }
  | { readonly id: number; readonly ok: true; readonly output: Output }
  | { readonly id: number; readonly ok: false; readonly code: string | null; readonly message: string };
