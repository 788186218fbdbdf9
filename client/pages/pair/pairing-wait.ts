import { pairingWait } from '#shared/schemas/pairing.ts';
import type { PairingWait } from '#shared/schemas/pairing.ts';

/** This device has asked to be let in and waits for the answer. */
export interface HeldWait extends PairingWait {
  /** The name it asked with. */
  readonly label: string;
}

const KEY = 'drover.pairing-wait';

/** The request this tab waits for; a phone reloads a tab that was behind another for a minute. Null: none. */
export function readWait(storage: Pick<Storage, 'getItem'>, now: number): HeldWait | null {
  try {
    const stored: unknown = JSON.parse(storage.getItem(KEY) ?? 'null');
    const wait = pairingWait.safeParse(stored).data;
    if (wait === undefined || wait.expiresAt <= now || typeof stored !== 'object' || stored === null)
      return null;
    const label: unknown = Reflect.get(stored, 'label');
    return typeof label === 'string' ? { ...wait, label } : null;
  } catch {
    return null;
  }
}

/** Keeps the request for this tab only; null: it is over. */
export function writeWait(storage: Pick<Storage, 'setItem' | 'removeItem'>, wait: HeldWait | null): void {
  try {
    if (wait === null) storage.removeItem(KEY);
    else storage.setItem(KEY, JSON.stringify(wait));
  } catch {
    // Without storage a reload asks for a new code; waiting works all the same.
  }
}
