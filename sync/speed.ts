/**
 * A speed in hundredths (12.34 tokens/s → 1234), as the tail and the segments hold it. Null stays null, apart from 0;
 * a value no host can mean (not finite, or past what hundredths can hold) is unknown, so it is null too.
 */
export function toHundredths(speed: number | null): number | null {
  if (speed === null) return null;
  // Adding 0 turns −0 into 0.
  const hundredths = Math.round(speed * 100) + 0;
  return Number.isSafeInteger(hundredths) ? hundredths : null;
}

/** The inverse of {@link toHundredths}. */
export function fromHundredths(hundredths: number): number {
  return hundredths / 100;
}

/** `speed` as it reads back from the tail or a segment. */
export function quantiseSpeed(speed: number | null): number | null {
  const hundredths = toHundredths(speed);
  return hundredths === null ? null : fromHundredths(hundredths);
}
