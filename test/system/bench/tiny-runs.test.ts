/** Every benchmark at its smallest size: that it runs, does real work and fills every field. Figures are not judged here. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { before, test } from 'node:test';
import type { Result } from '../../../bench/harness/benchmark.ts';
import { type Run, readRun, writeRun } from '../../../bench/harness/run-file.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { fileScope } from '../../harness/test-scope.ts';

const root = join(import.meta.dirname, '../../..');
const scope = fileScope();
const directory = temporaryDirectory(scope);
const [saved, page] = [join(directory, 'run.json'), join(directory, 'page.md')];
const names = globSync('bench/*.bench.ts', { cwd: root }).map((file) => basename(file, '.bench.ts'));

/** Nobody else does what these measure. */
const withoutPeer = ['campaigns', 'learning', 'web-graph', 'web-table'];
/** Their cost is measured at ten times the data. */
const withGrowth = [
  'back-match',
  'campaigns',
  'enrich',
  'http',
  'import',
  'investigate',
  'limits',
  'match',
  'pdns',
  'pipeline',
  'risk',
  'streams',
];
/** Nothing is a good result of these. */
const mayBeZero = ({ work, ours }: Result): boolean =>
  ['failed', 'lost'].includes(ours.unit) ||
  /^held for|^longest pause|checksums|^CPU time of PostgreSQL|^crews' lookalikes left out/.test(work);

async function runBench(
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly out: string }> {
  const child = spawn(process.execPath, ['bench/run.ts', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  scope.after(() => child.kill());
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'close') as Promise<[number]>]);
  return { code, out };
}

let outcome: Awaited<ReturnType<typeof runBench>>;
let run: Run;

before(async () => {
  outcome = await runBench('all', '--size', 'tiny', '--kill-worker', '--json', saved, '--page', page);
  run = readRun(saved);
});

test('a run of all benchmarks has each of them, and ends with status 0', () => {
  assert.deepEqual(run.benchmarks.map(({ name }) => name).sort(), names.toSorted());
  assert.equal(outcome.code, 0, outcome.out);
});

for (const name of names)
  test(`the benchmark ${name} does real work and fills every field`, (t) => {
    const found = run.benchmarks.find((one) => one.name === name);
    assert.equal(found?.failed, undefined);
    if (found?.skipped !== undefined) {
      assert.ok(!process.env['CI'], found.skipped);
      t.skip(`skipped: ${found.skipped}`);
      return;
    }
    const results = found?.results ?? [];
    assert.ok(results.length > 0);
    for (const result of results) checkFields(result);
    const some = (has: (result: Result) => boolean) => results.some(has);
    assert.ok(some(({ cpuSeconds }) => cpuSeconds > 0));
    assert.equal(
      some(({ peer }) => peer !== null),
      !withoutPeer.includes(name),
    );
    assert.equal(
      some(({ growthAt10x }) => growthAt10x !== null),
      withGrowth.includes(name),
    );
    const works = results.map(({ work }) => work);
    assert.deepEqual(works, [...new Set(works)]);
  });

function checkFields(result: Result): void {
  const { work, ours, peer, ratio, growthAt10x, cpuSeconds, memoryBytes } = result;
  const isAmount = (value: number) => Number.isFinite(value) && (value > 0 || mayBeZero(result));
  assert.ok(isAmount(ours.value) && ours.unit !== '', work);
  assert.ok(Number.isFinite(cpuSeconds) && cpuSeconds >= 0, work);
  assert.ok(memoryBytes > 1e6, work);
  assert.equal(ratio === null, peer === null, work);
  if (peer) assert.ok(peer.name !== '' && isAmount(peer.value) && isAmount(ratio ?? Number.NaN), work);
  assert.ok(growthAt10x === null || Number.isFinite(growthAt10x), work);
}

test('the table and the page have a row for each result', () => {
  const written = readFileSync(page, 'utf8');
  for (const { work } of run.benchmarks.flatMap(({ results }) => results)) {
    assert.ok(outcome.out.includes(work), work);
    assert.ok(written.includes(`| ${work} |`), work);
  }
});

test('--compare names a drift of more than 15 % and ends with status 1', async () => {
  const file = join(directory, 'before.json');
  const double = (result: Result) => ({ ...result, ratio: (result.ratio ?? 0) * 100 });
  const benchmarks = run.benchmarks.map((one) => ({ ...one, results: one.results.map(double) }));
  writeRun(file, { ...run, benchmarks });
  const { code, out } = await runBench('limits', '--size', 'tiny', '--compare', file);
  assert.equal(code, 1);
  assert.match(out, /limits: charges of two limits and a tally, 32 at once: ratio .* worse\)/);
});

test('--compare with a run of another size is a usage error', async () => {
  const { code } = await runBench('limits', '--size', 'small', '--compare', saved);
  assert.equal(code, 2);
});

test('--resume measures what the file does not have, and leaves the rest as it is', async () => {
  const file = join(directory, 'interrupted.json');
  const others = run.benchmarks.filter(({ name }) => name !== 'limits');
  writeRun(file, { ...run, benchmarks: others });
  const { code } = await runBench('all', '--size', 'tiny', '--json', file, '--resume', '--page', page);
  assert.equal(code, 0);
  const { benchmarks } = readRun(file);
  assert.deepEqual(
    benchmarks.filter(({ name }) => name !== 'limits'),
    others,
  );
  assert.ok(benchmarks.find(({ name }) => name === 'limits')?.results.length);
});

test('--resume with a run of another size is a usage error', async () => {
  const { code } = await runBench('limits', '--size', 'small', '--json', saved, '--resume');
  assert.equal(code, 2);
});
