/** For work that takes long: while the processors are busy, what answers requests comes first. */
import { getPriority, setPriority } from 'node:os';

/** This leaves a third of a processor that others want too; 10, what `nice` adds by itself, leaves a tenth. */
const usualNiceness = 5;

/**
 * On Linux this is of the calling thread and of those that it starts from now on. Elsewhere it would be of the whole process, and nothing
 * is changed. Who was started with more has more: nobody but root may take less.
 */
export function giveWay(niceness = usualNiceness): void {
  if (process.platform === 'linux' && getPriority() < niceness) setPriority(niceness);
}
