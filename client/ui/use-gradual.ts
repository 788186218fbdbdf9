import { startTransition, useEffect, useState } from 'react';

const FIRST = 8;
const STEP = 12;

/**
 * How many of `total` parts to draw now: a screenful in the first frame, the rest in the moments after it, so that a long
 * page does not keep a slow device waiting for what is below its edge.
 */
export function useGradual(total: number): number {
  const [count, setCount] = useState(FIRST);
  useEffect(() => {
    if (count >= total) return undefined;
    // Not before this much of it is on screen.
    const timer = setTimeout(() => startTransition(() => setCount(count + STEP)));
    return () => clearTimeout(timer);
  }, [count, total]);
  return Math.min(count, total);
}
