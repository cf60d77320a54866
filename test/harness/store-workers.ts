/** Further processes on the same data directory. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import type { Command, Report } from './store-worker.ts';

const script = new URL('./store-worker.ts', import.meta.url);

export interface StoreWorker {
  /** Resolves to the result; rejects with what the process reports to have gone wrong. */
  run(command: Command): Promise<unknown>;
  /** Starts a command that the process will not live to report on. */
  begin(command: Command): void;
  /** Ends the process on the spot. */
  kill(): Promise<void>;
}

/** Starts processes and waits until all of them listen, so that a command reaches them at the same moment. */
export function startWorkers(t: TestContext, count: number): Promise<readonly StoreWorker[]> {
  return Promise.all(Array.from({ length: count }, () => startWorker(t)));
}

async function startWorker(t: TestContext): Promise<StoreWorker> {
  const child = fork(script);
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
