import { setTimeout as pause } from 'node:timers/promises';

/** Resolves when nothing of a server is still starting: it answers before its worker works, and before it is as fast as it will be. */
export async function untilAllStarted(url: string): Promise<void> {
  for (;;) {
    // One that ended meanwhile is the caller's to notice.
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (!answer || !(await answer.text()).includes('"starting"')) return;
    await pause(20);
  }
}
