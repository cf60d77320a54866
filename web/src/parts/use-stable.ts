import { useCallback, useRef } from 'react';

/** A function that stays the same and always does the newest: what is given it as a property is not drawn again. */
export function useStable<Args extends readonly unknown[]>(
  run: (...args: Args) => void,
): (...args: Args) => void {
  const newest = useRef(run);
  newest.current = run;
  return useCallback((...args: Args) => newest.current(...args), []);
}
