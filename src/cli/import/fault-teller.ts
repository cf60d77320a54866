/** What could not be read, for people: the first malformed places in full, then how many more. */
import { harmless } from '../../model/harmless-text.ts';

export interface FaultTeller {
  tell(place: string, reason: string): void;
  end(): void;
}

export function faultTeller(shownMax: number): FaultTeller {
  let faults = 0;
  return {
    tell: (place: string, reason: string) => {
      faults += 1;
      if (faults <= shownMax) process.stderr.write(`${place}: ${harmless(reason)}\n`);
    },
    end: () => {
      if (faults > shownMax)
        process.stderr.write(`… and ${faults - shownMax} more (--faults-shown N shows more)\n`);
    },
  };
}
