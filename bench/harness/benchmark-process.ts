/**
 * Runs one benchmark in a process of its own, so that neither the memory nor a crash of one is another's. The parent sends what to run and
 * gets the results; when it goes away, this process cleans up and ends.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, type BenchContext, MissingSoftware } from './benchmark.ts';
import type { BenchmarkOrder, BenchmarkOutcome } from './run-benchmark.ts';

const cleanUps: (() => unknown)[] = [];

async function cleanUp(): Promise<void> {
  for (let next = cleanUps.pop(); next; next = cleanUps.pop()) {
    try {
      await next();
    } catch (error) {
      console.error(error);
    }
  }
}

function contextOf({ size, seeds, options }: BenchmarkOrder): BenchContext {
  const directory = mkdtempSync(join(tmpdir(), 'nameglass-bench-'));
  cleanUps.push(() => rmSync(directory, { recursive: true, force: true }));
  return {
    size,
    seeds,
    options,
    directory,
    sized: (choices) => choices[size],
    note: (text) => console.error(`  ${text}`),
    after: (cleanUpLater) => void cleanUps.push(cleanUpLater),
  };
}

async function outcomeOf(order: BenchmarkOrder): Promise<BenchmarkOutcome> {
  try {
    const { bench } = (await import(join(import.meta.dirname, `../${order.name}.bench.ts`))) as {
      readonly bench: Bench;
    };
    return { results: await bench(contextOf(order)) };
  } catch (error) {
    if (error instanceof MissingSoftware) return { results: [], skipped: error.message };
    console.error(error);
    return { results: [], failed: (error as Error).message };
  } finally {
    await cleanUp();
  }
}

async function abandon(): Promise<void> {
  await cleanUp();
  process.exit(130);
}

process.once('message', (order: BenchmarkOrder) => {
  void outcomeOf(order).then((outcome) => {
    process.off('disconnect', abandon);
    process.send?.(outcome, () => process.exit(0));
  });
});
process.on('disconnect', abandon);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, abandon);
