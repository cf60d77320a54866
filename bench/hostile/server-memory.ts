/** The memory of a server that was started with `report-memory.ts`. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Started } from '../process-under-test.ts';

/** Options of Node for the server, before its own. */
export const memoryReporting = ['--expose-gc', '--import', join(import.meta.dirname, 'report-memory.ts')];

export interface ServerMemory {
  /** Heap and buffers after a garbage collection. */
  readonly heldMb: number;
  /** 0 where the system does not report it. */
  readonly residentMb: number;
}

export async function memoryNow({ child }: Started): Promise<ServerMemory> {
  const file = process.env['MEMORY_REPORT'] ?? '';
  rmSync(file, { force: true });
  child.kill('SIGUSR2');
  while (!existsSync(file)) await pause(50);
  return { heldMb: Number(readFileSync(file, 'utf8')) / 2 ** 20, residentMb: residentMb(child.pid) };
}

function residentMb(pid: number | undefined): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
