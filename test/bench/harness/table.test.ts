import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missesOf, type Result, resultOf } from '../../../bench/harness/benchmark.ts';
import { benchmarksPage } from '../../../bench/harness/benchmarks-page.ts';
import { runOf } from '../../../bench/harness/run-file.ts';
import { terminalTable } from '../../../bench/harness/table.ts';

const slow: Result = resultOf({
  work: 'lookups',
  ours: { value: 4321, unit: 'lookups/s' },
  peer: { name: 'bare route', value: 10_000, unit: 'lookups/s' },
  wanted: { ratio: { atLeast: 0.5 } },
  growthAt10x: 1.04,
  cpuSeconds: 3.2,
  memoryBytes: 350e6,
});
const quick: Result = { ...slow, work: 'a longer name of work', ratio: 0.61 };
const kept: Result = { ...slow, work: 'kept', wanted: { ours: { atMost: 0 } } };

test('a miss is marked, and what is met says so', () => {
  const [, first = '', second = ''] = terminalTable([slow, quick], 'full').split('\n');
  assert.match(first, /ratio ≥ 0\.5 MISSED/);
  assert.match(second, /ratio ≥ 0\.5 met/);
});

test('figures end below the name of their column', () => {
  const [head = '', first = '', second = ''] = terminalTable([slow, quick], 'full').split('\n');
  const end = head.indexOf('ratio') + 'ratio'.length;
  assert.ok(first.slice(0, end).endsWith(' 0.43'));
  assert.ok(second.slice(0, end).endsWith(' 0.61'));
});

test('speed is judged at full size alone, and that nothing is lost at every size', () => {
  assert.deepEqual(missesOf(slow, 'full'), ['ratio']);
  assert.deepEqual(missesOf(slow, 'tiny'), []);
  assert.deepEqual(missesOf(kept, 'tiny'), ['ours']);
  assert.doesNotMatch(terminalTable([slow], 'small'), /MISSED|met/);
});

test('the page has date, machine, commit, command and the reason why a benchmark was skipped', () => {
  const page = benchmarksPage(
    runOf({
      date: '2026-11-16 12:00 UTC',
      size: 'full',
      command: 'npm run bench -- all',
      machine: {
        processor: 'Neoverse',
        cores: 2,
        memoryBytes: 8e9,
        node: 'v24.1.0',
        kernel: 'linux 6.1',
        commit: 'abc1234',
      },
      warnings: ['the machine is not quiet'],
      benchmarks: [
        { name: 'pdns', results: [slow] },
        { name: 'investigate', results: [], skipped: 'no PostgreSQL' },
      ],
    }),
  );
  for (const part of [
    '| date | 2026-11-16 12:00 UTC |',
    '| commit | abc1234 |',
    '| command | `npm run bench -- all` |',
    '| processor | Neoverse, 2 cores |',
    '| memory | 8,000 MB |',
    '| Node.js | v24.1.0 |',
    '| kernel | linux 6.1 |',
    '| warning | the machine is not quiet |',
    '**missed**',
    'Skipped: no PostgreSQL',
  ])
    assert.ok(page.includes(part), part);
});
