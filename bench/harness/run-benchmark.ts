/** Starts one benchmark in its process and returns what came of it. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describeProcesses, endByForce, processesBelow } from '../../test/harness/processes-below.ts';
import type { BenchOptions, Size } from './benchmark.ts';
import { endedChildrenSeconds } from './process-tree.ts';
import type { BenchmarkRun } from './run-file.ts';
import { shownNumber } from './table.ts';

export interface BenchmarkOrder {
  readonly name: string;
  readonly size: Size;
  readonly seeds: string;
  readonly options: BenchOptions;
}

export type BenchmarkOutcome = Omit<BenchmarkRun, 'name'>;

const root = join(import.meta.dirname, '../..');

/** At tiny size each takes less than a minute, and a test waits for all of them. At the others nobody can say. */
const tinyMinutesMax = 8;
const endWithinMs = 15_000;

export async function runBenchmark(order: BenchmarkOrder): Promise<BenchmarkRun> {
  const child = fork(join(import.meta.dirname, 'benchmark-process.ts'), {
    cwd: root,
    execArgv: [],
    env: { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compile'), ...process.env },
  });
  const before = endedChildrenSeconds();
  const exited = once(child, 'exit');
  const outcome = await new Promise<BenchmarkOutcome>((resolve) => {
    child.once('message', (message: BenchmarkOutcome) => resolve(message));
    child.once('error', (error) => resolve({ results: [], failed: error.message }));
    child.once('exit', (code, signal) =>
      resolve({ results: [], failed: `its process ended with ${signal ?? code}` }),
    );
    child.send(order);
    if (order.size === 'tiny') endAfter(tinyMinutesMax, child, (failed) => resolve({ results: [], failed }));
  });
  await exited;
  // Of the benchmark, its servers and its peers.
  const spent = endedChildrenSeconds() - before;
  console.error(`  ${order.name} took ${shownNumber(spent)} s of processor time`);
  return { name: order.name, ...outcome };
}

/** Unless it has ended by then. */
function endAfter(minutes: number, child: ChildProcess, onEnd: (failed: string) => void): void {
  const limit = setTimeout(() => {
    const left = processesBelow(child.pid ?? process.pid);
    onEnd(`it was not done after ${minutes} minutes\n${describeProcesses(left)}`);
    child.kill('SIGTERM');
    // Normally it ends them itself. One that does not is ended with them.
    const force = setTimeout(
      () => endByForce(child.pid === undefined ? left : [...left, child.pid]),
      endWithinMs,
    );
    child.once('exit', () => clearTimeout(force));
  }, minutes * 60_000);
  child.once('exit', () => clearTimeout(limit));
}
