import { useEffect, useState } from 'react';

/**
 * False for a moment after a control appeared, perhaps under a finger that was about to press something else; then true.
 * The same again when `stake`, what pressing it costs, rises above what it was armed for: nobody agrees to what came up
 * under the finger.
 */
export function useArmed(deadMs = 400, stake = 0): boolean {
  const [armedFor, setArmedFor] = useState(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (stake <= armedFor) return;
    const timer = setTimeout(() => setArmedFor(stake), deadMs);
    return () => clearTimeout(timer);
  }, [deadMs, stake, armedFor]);
  return stake <= armedFor;
}
