/**
 * `npm run test:mutation [-- PATH … --sample N --seed N --min PERCENT]`: mutation testing. Each mutant is one small change to a source file
 * (https://en.wikipedia.org/wiki/Mutation_testing); a mutant that the tests of the file do not notice has survived. Prints the mutation
 * score, which is the share of killed mutants, and every survivor. Without paths it samples all of `src/model` and `src/product`.
 *
 * The working tree is never written: mutants are files in a temporary directory, loaded by `mutant-loader.ts`.
 */
import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { seededRandom, shuffledOrder } from '../../tools/risk-model/seeded-random.ts';
import { type Mutant, mutantsOf } from './mutants.ts';
import { TestSelection } from './test-selection.ts';

const root = join(import.meta.dirname, '../..');
const loader = pathToFileURL(join(import.meta.dirname, 'mutant-loader.ts')).href;
const baselineTimeoutMs = 120_000;
const timeoutMinMs = 10_000;
/** Of the time that a test takes without a mutation: mutants may loop forever. */
const timeoutFactor = 4;
const shownMax = 70;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    min: { type: 'string', default: '0' },
  },
});

function sourceFiles(): readonly string[] {
  const paths = positionals.length > 0 ? positionals : ['src/model', 'src/product'];
  return paths
    .flatMap((path) => {
      if (!existsSync(join(root, path))) {
        console.error(`there is no file or directory ${path}`);
        process.exit(2);
      }
      return statSync(join(root, path)).isFile() ? [path] : globSync(`${path}/**/*.ts`, { cwd: root });
    })
    .map((path) => relative(root, join(root, path)))
    .sort();
}

/** A seeded sample of the mutants that are valid programs. */
function sampleOf(text: string): readonly { readonly mutant: Mutant; readonly mutated: string }[] {
  const all = mutantsOf(text);
  const sampled = [];
  for (const index of shuffledOrder(all.length, seededRandom(Number(options.seed)))) {
    if (sampled.length >= Number(options.sample)) break;
    const mutant = all[index] as Mutant;
    const mutated = text.slice(0, mutant.start) + mutant.replacement + text.slice(mutant.end);
    if (isValid(mutated)) sampled.push({ mutant, mutated });
  }
  return sampled;
}

function isValid(text: string): boolean {
  try {
    stripTypeScriptTypes(text);
    return true;
  } catch {
    return false;
  }
}

const running = new Set<number | undefined>();

/** Whether a test file passes; a test that takes longer than the time-out fails. */
function passes(
  test: string,
  environment: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<boolean> {
  const child = spawn(process.execPath, [test], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: `--import=${loader} --no-warnings`, ...environment },
    stdio: 'ignore',
    detached: true,
  });
  running.add(child.pid);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => stop(child.pid), timeoutMs);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      stop(child.pid);
      running.delete(child.pid);
      resolve(code === 0);
    });
  });
}

/** The process group, because a test may have started processes of its own. */
function stop(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

const baselines = new Map<string, Promise<number | undefined>>();

/** How long a test takes without a mutation, in milliseconds; undefined if it fails. */
function baselineOf(test: string): Promise<number | undefined> {
  const measure = async () => {
    const started = performance.now();
    return (await passes(test, {}, baselineTimeoutMs)) ? performance.now() - started : undefined;
  };
  const known = baselines.get(test) ?? measure();
  baselines.set(test, known);
  return known;
}

interface FileResult {
  readonly killed: number;
  readonly survivors: readonly Mutant[];
}

/** A string says why the file was skipped. */
async function testFile(
  source: string,
  selection: TestSelection,
  directory: string,
): Promise<FileResult | string> {
  const sampled = sampleOf(readFileSync(join(root, source), 'utf8'));
  if (sampled.length === 0) return 'nothing to mutate';
  const tests = selection.testsFor(source);
  if (tests.length === 0) return 'no test reaches it';
  const durations = new Map<string, number>();
  for (const test of tests) {
    const durationMs = await baselineOf(test);
    if (durationMs === undefined) return `${test} fails without a mutation`;
    durations.set(test, durationMs);
  }
  // The fastest first: most mutants are killed by the first test.
  const ordered = [...durations].sort(([, left], [, right]) => left - right);
  const file = join(directory, source.replaceAll('/', '-'));
  const environment = { MUTATION_TARGET: pathToFileURL(join(root, source)).href, MUTATION_FILE: file };
  const survivors: Mutant[] = [];
  for (const { mutant, mutated } of sampled) {
    writeFileSync(file, mutated);
    let isKilled = false;
    for (const [test, durationMs] of ordered)
      isKilled ||= !(await passes(test, environment, Math.max(timeoutMinMs, timeoutFactor * durationMs)));
    if (!isKilled) survivors.push(mutant);
  }
  return { killed: sampled.length - survivors.length, survivors };
}

function inOneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= shownMax ? line : `${line.slice(0, shownMax)}…`;
}

const queue = [...sourceFiles()];
const selection = new TestSelection(root);
const directory = mkdtempSync(join(tmpdir(), 'nameglass-mutants-'));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
process.on('exit', () => {
  for (const pid of running) stop(pid);
  rmSync(directory, { recursive: true, force: true });
});
let [killed, survived] = [0, 0];
async function work(): Promise<void> {
  for (let source = queue.shift(); source !== undefined; source = queue.shift()) {
    const result = await testFile(source, selection, directory);
    if (typeof result === 'string') {
      console.log(`skipped   ${source}: ${result}`);
      continue;
    }
    killed += result.killed;
    survived += result.survivors.length;
    console.log(`${`${result.killed}/${result.killed + result.survivors.length}`.padEnd(9)} ${source}`);
    for (const { line, original, replacement } of result.survivors)
      console.log(
        `          survived ${source}:${line}  ${inOneLine(original)}  →  ${inOneLine(replacement) || '(removed)'}`,
      );
  }
}
await Promise.all(Array.from({ length: Math.max(1, availableParallelism() - 1) }, work));
const score = killed + survived === 0 ? 0 : (100 * killed) / (killed + survived);
console.log(`mutation score ${score.toFixed(1)} %: ${killed} of ${killed + survived} mutants killed`);
if (score < Number(options.min)) process.exitCode = 1;
