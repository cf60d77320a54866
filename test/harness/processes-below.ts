/** What a process has started that still runs: what one that hangs waits for. */
import { readdirSync, readFileSync } from 'node:fs';

export interface RunningCommand {
  readonly pid: number;
  readonly command: string;
}

const shownCharacters = 200;

export function processesBelow(root: number): readonly RunningCommand[] {
  const all = readdirSync('/proc').flatMap((name) => readProcess(Number(name)) ?? []);
  const below = (parent: number): readonly RunningCommand[] =>
    all.flatMap((one) => (one.parent === parent ? [one, ...below(one.pid)] : []));
  return below(root).map(({ pid, command }) => ({ pid, command }));
}

/** Undefined for what is no process, or has ended. */
function readProcess(pid: number): (RunningCommand & { readonly parent: number }) | undefined {
  if (!Number.isInteger(pid)) return undefined;
  try {
    const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { pid, parent: Number(parent), command: command.slice(0, shownCharacters) };
  } catch {
    return undefined;
  }
}

export function describeProcesses(processes: readonly RunningCommand[]): string {
  if (processes.length === 0) return '  no process below it was running\n';
  return processes.map(({ pid, command }) => `  still running: ${pid} ${command}\n`).join('');
}
