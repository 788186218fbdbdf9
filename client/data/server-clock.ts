let offsetMs = 0;

/** Sets how far the collector's clock is ahead of this device's, from an answer's time and its round trip. */
export function setServerOffset(next: number): void {
  offsetMs = next;
}

/** How far the collector's clock is ahead of this device's, as last measured. */
export function serverOffsetMs(): number {
  return offsetMs;
}

/** Epoch milliseconds on the collector's clock, as well as this device knows it. */
export function serverNow(): number {
  return Date.now() + offsetMs;
}
