/** Starts further processes on the same data directory. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import type { Command, Report } from './store-worker.ts';

const script = new URL('./store-worker.ts', import.meta.url);

export interface StoreWorker {
  /** Resolves to the result; rejects with the error that the process reports. */
  run(command: Command): Promise<unknown>;
  /** Starts a command without waiting for its report, because the process will be killed. */
  begin(command: Command): void;
  /** Kills the process with SIGKILL. */
  kill(): Promise<void>;
}

/** Starts processes and waits until all are ready, so that a command reaches them at the same time. */
export function startWorkers(t: TestContext, count: number): Promise<readonly StoreWorker[]> {
  return Promise.all(Array.from({ length: count }, () => startWorker(t)));
}

async function startWorker(t: TestContext): Promise<StoreWorker> {
  const child = fork(script, { execArgv: [] });
  const exited = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  t.after(kill);
  await once(child, 'message');
  return {
    async run(command) {
      child.send(command);
      const [report] = (await once(child, 'message')) as [Report];
      if ('error' in report) throw new Error(report.error);
      return report.result;
    },
    begin: (command) => void child.send(command),
    kill,
  };
}
