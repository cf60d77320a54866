/** Ends the worker process of a server by force, again and again. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

interface RunningFile {
  readonly processes?: readonly { readonly role: string; readonly state: string; readonly pid?: number }[];
}

export interface KillerOptions {
  readonly data: string;
  readonly everyMs: number;
  readonly isOver: () => boolean;
}

/** Resolves with how often it was killed. One that has not started again is left alone. */
export async function killWorker({ data, everyMs, isOver }: KillerOptions): Promise<number> {
  let kills = 0;
  let lastPid = 0;
  while (!isOver()) {
    await pause(everyMs);
    const pid = findWorker(data);
    if (pid === undefined || pid === lastPid || isOver()) continue;
    process.kill(pid, 'SIGKILL');
    lastPid = pid;
    kills += 1;
  }
  return kills;
}

function findWorker(data: string): number | undefined {
  const { processes } = JSON.parse(readFileSync(join(data, 'running.json'), 'utf8')) as RunningFile;
  if (!processes) throw new Error('this server has no worker process of its own');
  return processes.find(({ role, state }) => role === 'worker' && state === 'running')?.pid;
}
