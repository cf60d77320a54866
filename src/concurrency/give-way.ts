/** For threads whose calls take long: while the processors are busy, others that answer requests come first. */
import { setPriority } from 'node:os';

/** What `nice` adds by itself is 10; this still leaves a third of a busy processor. */
const niceness = 5;

/** Of the calling thread alone on Linux, of the whole process elsewhere: there nothing is changed. */
export function giveWay(): void {
  if (process.platform === 'linux') setPriority(niceness);
}
