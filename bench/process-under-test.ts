/** A process of ours under load: started until it says that it is ready, and watched for its greatest memory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '..');

export interface Started {
  readonly url: string;
  readonly key: string;
  readonly child: ChildProcess;
}

export async function start(args: string[]): Promise<Started> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  let url = '';
  let key = '';
  for await (const line of createInterface({ input: child.stdout })) {
    url ||= /ready at (\S+)/.exec(line)?.[1] ?? '';
    key ||= /API key +(\S+)/.exec(line)?.[1] ?? '';
    if (url && (key || !args.includes('--demo'))) return { url, key, child };
  }
  throw new Error(`${args[0]} ended before it was ready`);
}

/** Runs to the end; gives seconds and the greatest resident memory in MB. */
export async function measure(command: string, args: readonly string[]) {
  const began = performance.now();
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  let memory = 0;
  const watching = setInterval(() => {
    memory = Math.max(memory, memoryOf(child));
  }, 50);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  clearInterval(watching);
  if (code !== 0) throw new Error(`${command} ${args[0] ?? ''} ended with ${code}`);
  return { seconds: (performance.now() - began) / 1000, memory };
}

/** The greatest resident memory of a running process so far, in MB; 0 where the system does not report it. */
export function memoryOf({ pid }: ChildProcess): number {
  try {
    const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) / 1024;
  } catch {
    return 0;
  }
}
