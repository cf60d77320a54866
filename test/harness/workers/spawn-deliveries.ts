/** Runs deliveries in a separate process that can be killed. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

export interface SpawnedDeliveries {
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;
  /** Resolves when the process has exited, so that the directory is not removed while it is running. */
  kill(): Promise<void>;
}

export function spawnDeliveries(t: TestContext, directory: string, nowMs: number): SpawnedDeliveries {
  const child = fork(join(import.meta.dirname, 'delivery-worker.ts'), [directory, String(nowMs)], {
    execArgv: [],
  });
  const ended = once(child, 'exit').then(() => undefined);
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    ready: once(child, 'message').then(() => undefined),
    ended,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
