import { useEffect, useState } from 'react';

/**
 * False for a moment after a control appeared, perhaps under a finger that was about to press something else; then true.
 */
export function useArmed(deadMs = 400): boolean {
  const [isArmed, setArmed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setArmed(true), deadMs);
    return () => clearTimeout(timer);
  }, [deadMs]);
  return isArmed;
}
