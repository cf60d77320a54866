/** Which process it was that left something behind, and whether it is still there. What a dead one held is nobody's. */
import { readFileSync } from 'node:fs';

export interface ProcessLife {
  readonly process: number;
  /** When it began, as Linux counts; the same text for all where the system does not tell. */
  readonly started: string;
}

export function ownLife(): ProcessLife {
  return { process: process.pid, started: startOf(process.pid) };
}

/** Another process may have the number by now: in a container the next start has the same. */
export function isAlive({ process: pid, started }: ProcessLife): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return startOf(pid) === started;
}

function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program may hold anything, and stands in brackets before the rest.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
