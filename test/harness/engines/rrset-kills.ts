/** Writes batches into passive DNS of several nodes while a server, or the process that writes them, is killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../../../src/model/problem.ts';
import type { Intake, RrsetStore, Scan, Selection } from '../../../src/store/rrset-store.ts';
import { all } from '../../conformance/rrset-store.ts';
import { nowSeconds, wire } from '../arbitraries/rrset-arbitraries.ts';
import { type ImporterOptions, observationsOf } from './rrset-importer.ts';

/** Of each kind. */
export const kills = Number(process.env['PASSIVE_DNS_KILLS'] ?? 10);

const selections: readonly Selection[] = [
  { by: 'owner', name: wire('.'), span: 'below' },
  { by: 'address', from: Uint8Array.of(0, 0, 0, 0), to: Uint8Array.of(255, 255, 255, 255) },
];

/** What was observed in all, by owner and by address. */
export async function sumsOf(store: RrsetStore): Promise<number[]> {
  const sums: number[] = [];
  for (const selection of selections) {
    const scan: Scan = { selection, filter: { types: 'any', fences: {} }, merged: true, nowSeconds };
    sums.push((await all(store.scan(scan))).reduce((sum, { count }) => sum + count, 0));
  }
  return sums;
}

/** As the intake of sensors does: what could not be stored yet is stored later. */
async function flushPatiently(intake: Intake): Promise<void> {
  for (;;) {
    try {
      return await intake.flush();
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'try-again')) throw error;
    }
  }
}

/** Kills a server at random moments while batches are written, and returns how many were. */
export async function writeWhileKilling(
  store: RrsetStore,
  server: { kill(): Promise<void>; start(): Promise<void> },
): Promise<number> {
  const over = new AbortController();
  const killing = (async () => {
    for (let kill = 0; kill < kills; kill += 1) {
      await pause(50 + Math.random() * 400);
      await server.kill();
      await server.start();
    }
  })().finally(() => over.abort());
  const intake = await store.openIntake({ publish: true });
  let batches = 0;
  for (; !over.signal.aborted; batches += 1) {
    for (const one of observationsOf(1)) await intake.add(one);
    await flushPatiently(intake);
  }
  await killing;
  return batches;
}

const importer = join(import.meta.dirname, 'rrset-importer.ts');

/** Kills the process of an import at random moments and starts it again, until the import is complete. Returns how often. */
export async function importWhileKilling(store: RrsetStore, options: ImporterOptions): Promise<number> {
  const durable = async () => (await store.findImport(options.importId))?.observations ?? 0;
  for (let killed = 0; ; ) {
    const child = spawn(process.execPath, [importer, JSON.stringify(options)], { stdio: 'ignore' });
    const closed = once(child, 'close');
    if (killed < kills) {
      const before = await durable();
      // Once it writes.
      while (child.exitCode === null && (await durable()) === before) await pause(10);
      await pause(Math.random() * 60);
      if (child.exitCode === null) killed += 1;
      child.kill('SIGKILL');
    }
    await closed;
    if ((await store.findImport(options.importId))?.complete) return killed;
  }
}
