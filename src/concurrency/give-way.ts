/** For work that takes long: while the processors are busy, what answers requests comes first. */
import { setPriority } from 'node:os';

/** What `nice` adds by itself is 10; this still leaves a third of a busy processor. */
const niceness = 5;

/**
 * On Linux this is of the calling thread and of those that it starts from now on. Elsewhere it would be of the whole process, and nothing
 * is changed.
 */
export function giveWay(): void {
  if (process.platform === 'linux') setPriority(niceness);
}
