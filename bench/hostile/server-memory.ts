/** The memory of a server that was started with `report-memory.ts`. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { HostileServer } from './hostile-server.ts';

/** Options of Node for the server, before its own. */
export const memoryReporting = ['--expose-gc', '--import', join(import.meta.dirname, 'report-memory.ts')];

/** Bytes of heap and buffers after a garbage collection. */
export async function heldBytes({ server, report }: HostileServer): Promise<number> {
  rmSync(report, { force: true });
  server.child.kill('SIGUSR2');
  while (!existsSync(report)) await pause(50);
  return Number(readFileSync(report, 'utf8'));
}
