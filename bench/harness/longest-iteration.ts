/** The most CPU time that one iteration of the event loop took while something ran: what a pause would be on a machine that does nothing else. */
import { threadCpuUsage } from 'node:process';

export async function longestIterationMs(work: () => Promise<unknown>): Promise<number> {
  let [longest, isOver, before] = [0, false, threadMs()];
  const watch = () => {
    const now = threadMs();
    longest = Math.max(longest, now - before);
    before = now;
    if (!isOver) setImmediate(watch);
  };
  setImmediate(watch);
  try {
    await work();
    // The last one is noticed in the next one.
    await new Promise((resolve) => setImmediate(resolve));
    return longest;
  } finally {
    isOver = true;
  }
}

/** Of this thread alone. */
function threadMs(): number {
  const { user, system } = threadCpuUsage();
  return (user + system) / 1000;
}
