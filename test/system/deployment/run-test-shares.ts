/** Test files in processes of their own, several files in each, and what came of them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { TestScope } from '../../harness/test-scope.ts';

interface SkippedTest {
  readonly title: string;
  readonly reason: string;
}

interface TestRun {
  readonly tests: number;
  readonly skipped: readonly SkippedTest[];
  /** What the processes with failures printed about them. */
  readonly failures: readonly string[];
}

interface RunOptions {
  readonly files: readonly string[];
  /** At the same time. */
  readonly processes: number;
  readonly sharesEach: number;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly scope: TestScope;
  readonly wrap: (command: readonly string[]) => readonly [string, ...string[]];
}

export async function runTestShares(options: RunOptions): Promise<TestRun> {
  const { files, processes, sharesEach } = options;
  const count = processes * sharesEach;
  const shares = Array.from({ length: count }, (_, index) =>
    files.filter((_file, at) => at % count === index),
  );
  const runs: TestRun[] = [];
  const runNext = async () => {
    for (let share = shares.pop(); share; share = shares.pop())
      if (share.length > 0) runs.push(await runShare(options, share));
  };
  await Promise.all(Array.from({ length: processes }, runNext));
  return {
    tests: runs.reduce((sum, { tests }) => sum + tests, 0),
    skipped: runs.flatMap(({ skipped }) => skipped),
    failures: runs.flatMap(({ failures }) => failures),
  };
}

async function runShare(
  { scope, cwd, environment, wrap }: RunOptions,
  files: readonly string[],
): Promise<TestRun> {
  const args = ['--test', '--test-reporter=spec', '--test-isolation=none', ...files];
  const [command, ...rest] = wrap([process.execPath, ...args]);
  // The first is how `node --test` recognises a process of its own; what these tests write is searched for keys in the other tier.
  const { NODE_TEST_CONTEXT: _context, TEST_ARTIFACTS: _artifacts, ...inherited } = process.env;
  const child = spawn(command, rest, {
    cwd,
    env: { ...inherited, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  scope.after(() => child.kill('SIGKILL'));
  const closed = once(child, 'close');
  const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code, signal] = (await closed) as [number | null, NodeJS.Signals | null];
  const tests = Number(/^ℹ tests (\d+)$/m.exec(printed)?.[1] ?? 0);
  const failures = printed.split('✖ failing tests:\n')[1];
  const ending = `${signal ?? `exit status ${code}`}\n${(printed + complaints).split('\n').slice(-60).join('\n')}`;
  return {
    tests,
    skipped: [...printed.matchAll(/^ *﹣ (.*) \([\d.]+ms\) # (.*)$/gm)].map(([, title, reason]) => ({
      title: title as string,
      reason: reason as string,
    })),
    failures: code === 0 && tests > 0 ? [] : [failures ?? ending],
  };
}
