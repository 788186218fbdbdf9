import { useEffect, useEffectEvent, useState } from 'react';
import { serverNow } from '../../data/server-clock.ts';
import { pollPairing } from '../../data/sign-in.ts';
import type { ApiError } from '../../data/types.ts';
import type { HeldWait } from './pairing-wait.ts';
import { readWait, writeWait } from './pairing-wait.ts';

/** No answer from the collector: asked again this much later. */
const RETRY_MS = 5_000;
const GIVEN_UP: ReadonlySet<string> = new Set(['refused', 'gone', 'bad_code', 'not_found']);

interface PairingWaiting {
  readonly wait: HeldWait | null;
  /** The last question was not answered. */
  readonly isSilent: boolean;
  readonly begin: (wait: HeldWait) => void;
  readonly end: () => void;
}

/** Asks again and again whether this device was let in, until it was, or will not be. */
export function usePairingWait(onIn: () => void, onOut: (error: ApiError) => void): PairingWaiting {
  const [wait, setWait] = useState(() => readWait(sessionStorage, serverNow()));
  const [isSilent, setSilent] = useState(false);
  const set = (next: HeldWait | null): void => {
    writeWait(sessionStorage, next);
    setSilent(false);
    setWait(next);
  };
  /** Asks once; the wait before the next question, null when there is none. */
  const ask = useEffectEvent(async (requestId: string, isOver: () => boolean): Promise<number | null> => {
    const answer = await pollPairing(requestId);
    if (isOver()) return null;
    if (answer.ok) {
      setSilent(false);
      if (answer.value !== null) return answer.value.pollAfterMs;
      set(null);
      onIn();
      return null;
    }
    if (!GIVEN_UP.has(answer.code)) {
      setSilent(answer.status === null);
      return answer.retryAfterMs ?? RETRY_MS;
    }
    set(null);
    onOut(answer);
    return null;
  });
  const requestId = wait?.requestId ?? null;
  const firstMs = wait?.pollAfterMs ?? 0;
  useEffect(() => {
    if (requestId === null) return;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    const askOnce = async (): Promise<void> => {
      const nextMs = await ask(requestId, () => isOver);
      if (nextMs !== null && !isOver) later(nextMs);
    };
    const later = (delayMs: number): void => {
      timer = setTimeout(() => void askOnce(), delayMs);
    };
    later(firstMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [requestId, firstMs]);
  return { wait, isSilent, begin: set, end: () => set(null) };
}
