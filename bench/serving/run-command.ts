/** A command that runs to its end: what it took, with everything that it started. One at a time, because CPU time is that of children which ended meanwhile. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { compileCache, program } from '../../test/harness/server/program.ts';
import type { Usage } from '../harness/benchmark.ts';
import { endedChildrenSeconds } from '../harness/process-tree.ts';
import { usageOf } from '../harness/usage.ts';

const root = join(import.meta.dirname, '../..');

export interface CommandUsage extends Usage {
  readonly seconds: number;
  readonly out: string;
}

export async function runCommand(command: string, args: readonly string[]): Promise<CommandUsage> {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  const before = endedChildrenSeconds();
  const {
    value: code,
    seconds,
    memoryBytes,
  } = await usageOf(
    child.pid ?? 0,
    () =>
      new Promise<number | null>((resolve, reject) => {
        child.once('error', reject);
        child.once('close', resolve);
      }),
  );
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
  return { seconds, memoryBytes, cpuSeconds: endedChildrenSeconds() - before, out };
}

/** `nameglass …`. */
export function runNameglass(...args: readonly string[]): Promise<CommandUsage> {
  return runCommand(process.execPath, [program, ...args]);
}
