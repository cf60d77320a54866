/** A run of benchmarks as it is saved with `--json` and compared with `--compare`. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Result, Size } from './benchmark.ts';
import type { Machine } from './machine.ts';

/** Raised when the shape of results changes. */
const format = 1;

export interface BenchmarkRun {
  readonly name: string;
  readonly results: readonly Result[];
  /** Why there are no results. */
  readonly skipped?: string;
  readonly failed?: string;
}

export interface Run {
  readonly format: number;
  readonly date: string;
  readonly size: Size;
  readonly command: string;
  readonly machine: Machine;
  readonly warnings: readonly string[];
  readonly benchmarks: readonly BenchmarkRun[];
}

export function runOf(run: Omit<Run, 'format'>): Run {
  return { format, ...run };
}

export function writeRun(file: string, run: Run): void {
  writeFileSync(file, `${JSON.stringify(run, null, 2)}\n`);
}

export function readRun(file: string): Run {
  const run = JSON.parse(readFileSync(file, 'utf8')) as Run;
  if (run.format !== format) throw new Error(`${file} is not a run of benchmarks of format ${format}`);
  return run;
}
