/** When a process started: with its id, what identifies it among all that had or will have the same id. */
import { readFileSync } from 'node:fs';

/**
 * In clock ticks since the machine started. Undefined where none runs, or where the kernel does not say. A zombie has ended, however
 * long its parent, or the first process of a container, takes to notice.
 */
export function findStartTicks(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The program name, in parentheses, may contain any character; the state and the start are the 1st and the 20th field behind it (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
