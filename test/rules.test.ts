/** Every rule of the contract has a test whose name starts with its id. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { list, read } from './tidy/source-tree.ts';

/** Families of rules that are complete: an id without a test is a failure here, elsewhere it is printed. */
const complete = [
  'GEN',
  'ACC',
  'AUTH',
  'ENR',
  'INV',
  'REC',
  'BAT',
  'DL',
  'PDNS',
  'PQ',
  'PE',
  'MON',
  'DOM',
  'TRI',
  'ESC',
  'TIME',
  'SHOT',
  'RISK',
  'FEED',
];

/** `A-01 A-02 A-03 B-07` as `A-01…A-03 B-07`, for neighbours in the list of all ids. */
function inRanges(all: readonly string[], some: readonly string[]): string {
  const ranges: string[][] = [];
  for (const id of some) {
    const last = ranges.at(-1);
    const [family, next] = [id.split('-')[0], all.indexOf(id)];
    if (last?.at(-1) === all[next - 1] && last?.[0]?.split('-')[0] === family) last?.push(id);
    else ranges.push([id]);
  }
  return ranges
    .map((range) => (range.length > 2 ? `${range[0]}…${range.at(-1)}` : range.join(' ')))
    .join(' ');
}

test('the rules of the contract have tests', (t) => {
  const ids = [...read('docs/api/rules.md').matchAll(/^\| ([A-Z]+-[A-Z]?\d+) \|/gm)].map(
    ([, id]) => id as string,
  );
  const names = list('test/**/*.test.ts')
    .flatMap((file) => [...read(file).matchAll(/test\(\s*[`'"]([^`'"]+)/g)])
    .map(([, name]) => (name as string).split(/ [a-z]/)[0] ?? '');
  const proved = new Set(names.flatMap((name) => name.match(/\b[A-Z]+-[A-Z]?\d\d\b/g) ?? []));
  const open = ids.filter((id) => !proved.has(id));
  t.diagnostic(
    `${ids.length - open.length} of ${ids.length} rules have a test; without one: ${inRanges(ids, open)}`,
  );
  assert.deepEqual(
    [...proved].filter((id) => !ids.includes(id)),
    [],
    'a test names a rule that does not exist',
  );
  assert.deepEqual(
    open.filter((id) => complete.includes(id.split('-')[0] ?? '')),
    [],
  );
});
