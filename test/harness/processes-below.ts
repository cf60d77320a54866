/** What a process has started that still runs: what one that hangs waits for. */
import { readFileSync } from 'node:fs';
import { processTree } from '../../bench/harness/process-tree.ts';

const shownCharacters = 200;

export const processesBelow = (root: number): readonly number[] => processTree(root).slice(1);

export function describeProcesses(pids: readonly number[]): string {
  if (pids.length === 0) return '  no process below it was running\n';
  return pids.map((pid) => `  still running: ${pid} ${commandOf(pid)}\n`).join('');
}

export function endByForce(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

function commandOf(pid: number): string {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return command.replaceAll('\0', ' ').trim().slice(0, shownCharacters);
  } catch {
    return '(it has ended)';
  }
}
