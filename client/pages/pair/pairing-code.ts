/** The code of a pairing link's fragment, `#pair=CODE`, as it was sent; null when there is none. */
export function pairingCodeOf(hash: string): string | null {
  const code = new URLSearchParams(hash.replace(/^#/, '')).get('pair');
  return code === null || code === '' ? null : code;
}

let taken: string | null = null;

/**
 * Takes the code out of the address bar, so that it is in no history, screenshot or shared link afterwards; the pairing
 * page starts with it.
 */
export function takePairingCode(): void {
  const code = pairingCodeOf(window.location.hash);
  if (code === null) return;
  taken = code;
  window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search);
}

/** The code that was taken from the address, or null. */
export function takenPairingCode(): string | null {
  return taken;
}
