/** The world in a process of its own: what it costs is not counted as ours, though it has the same processors. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { WorldOptions } from '../../world/world.ts';

export interface WorldProcess {
  /** What leads into it, by key as text. */
  readonly settings: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const file = join(import.meta.dirname, '../../world/main.ts');

export async function startWorldProcess(options: WorldOptions): Promise<WorldProcess> {
  const child = spawn(process.execPath, [file, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { settings } = JSON.parse(await firstLineOf(child)) as Pick<WorldProcess, 'settings'>;
  return { settings, stop: () => stopProcess(child) };
}

/** What a process of a benchmark says when it is ready. */
export async function firstLineOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout) for await (const line of createInterface({ input: stdout })) return line;
  throw new Error('the process ended before it was ready');
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
