/** Reports malformed input on standard error: the first few lines in full, then the number of the others. */
import { escapeForTerminal } from '../../model/escape-for-terminal.ts';

export interface ErrorReporter {
  /** `position` is such as `line 12`. */
  report(position: string, reason: string): void;
  /** Prints how many errors were not shown. */
  end(): void;
}

export function errorReporter(shownMax: number): ErrorReporter {
  let errors = 0;
  return {
    report: (position: string, reason: string) => {
      errors += 1;
      if (errors <= shownMax) process.stderr.write(`${position}: ${escapeForTerminal(reason)}\n`);
    },
    end: () => {
      if (errors > shownMax)
        process.stderr.write(`… and ${errors - shownMax} more (--faults-shown N shows more)\n`);
    },
  };
}
