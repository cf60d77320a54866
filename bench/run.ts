/** `npm run bench -- NAME …`: runs benchmarks one after another and prints their results as a table. bench/README.md says how to read it. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { buildProgram, removeProgram } from '../scripts/build-program.ts';
import { missesOf } from './harness/benchmark.ts';
import { benchmarksPage } from './harness/benchmarks-page.ts';
import { driftMax, driftsBetween } from './harness/compare.ts';
import { describeMachine, QuietCheck } from './harness/machine.ts';
import { type CommandLine, commandOf, readCommandLine, UsageError } from './harness/options.ts';
import { runBenchmark } from './harness/run-benchmark.ts';
import { type BenchmarkRun, type Run, readRun, runOf, writeRun } from './harness/run-file.ts';
import { terminalTable } from './harness/table.ts';

const root = join(import.meta.dirname, '..');
const page = join(root, 'docs/benchmarks.md');

/** Imports first: they leave data for the others. */
const known = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.replace('.bench.ts', ''))
  .sort((left, right) => Number(right === 'import') - Number(left === 'import') || left.localeCompare(right));

async function runAll(commandLine: CommandLine, before: Run | undefined): Promise<boolean> {
  const { names, size, keep, options, json } = commandLine;
  const quiet = new QuietCheck();
  const seeds = keep ?? mkdtempSync(join(tmpdir(), 'nameglass-bench-seeds-'));
  mkdirSync(seeds, { recursive: true });
  const earlier = earlierPart(commandLine);
  const benchmarks: BenchmarkRun[] = [...(earlier?.benchmarks ?? [])];
  const load = quiet.loadWarning();
  const current = () =>
    runOf({
      date: new Date().toISOString().slice(0, 16).replace('T', ' ').concat(' UTC'),
      size,
      command: commandOf(commandLine),
      machine: describeMachine(),
      warnings: [...new Set([...(earlier?.warnings ?? []), load, quiet.stealWarning()])].filter(
        (warning) => warning !== undefined,
      ),
      benchmarks: benchmarks.toSorted((left, right) => known.indexOf(left.name) - known.indexOf(right.name)),
    });
  if (load) console.error(`WARNING ${load}`);
  try {
    // Servers and commands are measured as people run them. Tests have built them already.
    process.env['TEST_PROGRAM'] ??= buildProgram();
    const done = new Set(benchmarks.map(({ name }) => name));
    for (const name of names.filter((one) => !done.has(one))) {
      console.error(`${name} …`);
      benchmarks.push(await runBenchmark({ name, size, seeds, options }));
      // All of them take more than an hour, and a run may be interrupted.
      if (json !== undefined) writeRun(json, current());
    }
  } finally {
    removeProgram();
    if (keep === undefined) rmSync(seeds, { recursive: true, force: true });
  }
  return report(current(), commandLine, before);
}

/** With `--resume`: what a run that was interrupted, or one of other benchmarks, has left in the file. Failed ones are run again. */
function earlierPart({ json, resume, size }: CommandLine): Run | undefined {
  if (!resume || json === undefined || !existsSync(json)) return undefined;
  const earlier = readRun(json);
  const { commit } = describeMachine();
  if (earlier.size !== size || earlier.machine.commit !== commit)
    throw new UsageError(
      `${json} is of size ${earlier.size} and commit ${earlier.machine.commit}, this is ${size} and ${commit}: name another file`,
    );
  return { ...earlier, benchmarks: earlier.benchmarks.filter(({ failed }) => failed === undefined) };
}

/** Whether everything is as it should be. */
function report(run: Run, commandLine: CommandLine, before: Run | undefined): boolean {
  const { size, benchmarks, warnings } = run;
  const results = benchmarks.flatMap((benchmark) => benchmark.results);
  if (results.length > 0) console.log(`\n${terminalTable(results, size)}\n`);
  for (const { name, skipped, failed } of benchmarks) {
    if (skipped !== undefined) console.log(`${name}: skipped: ${skipped}`);
    if (failed !== undefined) console.log(`${name}: FAILED: ${failed}`);
  }
  for (const warning of warnings) console.log(`WARNING ${warning}`);
  if (commandLine.json !== undefined) writeRun(commandLine.json, run);
  writePage(run, commandLine);
  const misses = results.filter((result) => missesOf(result, size).length > 0);
  if (misses.length > 0) console.log(`${misses.length} of ${results.length} results miss what is wanted`);
  const drifts = before ? driftsBetween(before, run) : [];
  if (before) {
    console.log(
      `compared with ${before.machine.commit} of ${before.date}: ${drifts.length} drifts of more than ${driftMax * 100} %`,
    );
    for (const drift of drifts) console.log(`  ${drift}`);
  }
  return misses.length === 0 && drifts.length === 0 && benchmarks.every(({ failed }) => failed === undefined);
}

/** Figures of a smaller size are not for the public, unless somebody says so. */
function writePage(run: Run, { isAll, size, page: named }: CommandLine): void {
  const file = named ?? (isAll && size === 'full' ? page : undefined);
  if (file === undefined) return;
  writeFileSync(file, benchmarksPage(run));
  console.log(`${relative(process.cwd(), file)} is written`);
}

try {
  const commandLine = readCommandLine(process.argv.slice(2), known);
  const before = commandLine.compare === undefined ? undefined : readRun(commandLine.compare);
  if (before && before.size !== commandLine.size)
    throw new UsageError(`${commandLine.compare} is of size ${before.size}: add --size ${before.size}`);
  process.exitCode = (await runAll(commandLine, before)) ? 0 : 1;
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  if (error.isHelp) console.log(error.message);
  else console.error(error.message);
  process.exitCode = error.isHelp ? 0 : 2;
}
