import { createCell, useReadable } from '../../data/cell.ts';
import type { ActDraft } from './act-drafts.ts';

/** What became of a wish to act: stored on this device under `id`, not stored, or given up before it was asked for. */
export type ActResult =
  | { readonly outcome: 'queued'; readonly id: string }
  | { readonly outcome: 'not-queued'; readonly message: string }
  | { readonly outcome: 'given-up' };

/** A wish to act that waits for its decision. */
export interface ActRequest {
  readonly draft: ActDraft;
  readonly end: (result: ActResult) => void;
}

/** Asked for before what decides was loaded; nothing is lost. */
const waiting = createCell<readonly ActRequest[]>([]);
let taker: ((request: ActRequest) => void) | null = null;

/** The second click of a double click is no second wish. */
const DOUBLE_CLICK_MS = 600;
let last: { readonly wish: string; readonly at: number; readonly result: Promise<ActResult> } | null = null;

/**
 * Asks for an action; whoever takes requests confirms it with the person first where that is needed. The same again within
 * the time of a double click is the same wish, unless it was given up.
 */
export function askAct(draft: ActDraft): Promise<ActResult> {
  const wish = JSON.stringify(draft);
  const at = performance.now();
  if (last?.wish === wish && at - last.at < DOUBLE_CLICK_MS) return last.result;
  const { promise: result, resolve } = Promise.withResolvers<ActResult>();
  const end = (outcome: ActResult): void => {
    if (outcome.outcome !== 'queued' && last?.result === result) last = null;
    resolve(outcome);
  };
  last = { wish, at, result };
  const request: ActRequest = { draft, end };
  if (taker === null) waiting.set([...waiting.get(), request]);
  else taker(request);
  return result;
}

/** Takes what was asked for and what will be; the returned function ends it. */
export function takeActs(take: (request: ActRequest) => void): () => void {
  taker = take;
  const early = waiting.get();
  waiting.set([]);
  for (const request of early) take(request);
  return () => {
    if (taker === take) taker = null;
  };
}

/** The first wish that waits for the code that decides; null: none does. */
export function useWaitingAct(): ActDraft | null {
  return useReadable(waiting)[0]?.draft ?? null;
}

/** Lets go of every wish that still waits for that code. */
export function giveUpActs(): void {
  const early = waiting.get();
  waiting.set([]);
  for (const request of early) request.end({ outcome: 'given-up' });
}
