/** Which facets cut a search best that matches too many domains. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestCuts } from '../../../src/product/investigate/narrowing.ts';

const cut = (attribute: string, ...numbers: readonly number[]) => ({
  attribute,
  values: numbers.map((domains, index) => ({ value: `v${index}`, domains })),
});
const namesOf = (cuts: ReturnType<typeof bestCuts>) => cuts.map(({ attribute }) => attribute);

test('a facet is better the more domains one choice brings into a list', () => {
  const facets = [cut('few', 100, 100), cut('halves', 900, 900), cut('whole', 700, 700, 600)];
  assert.deepEqual(namesOf(bestCuts(facets, 2000, 1000)), ['whole', 'halves', 'few']);
});

test('values that still leave too many do not count, unless all of them do', () => {
  const facets = [cut('large', 9000, 900), cut('small', 950, 50)];
  assert.deepEqual(namesOf(bestCuts(facets, 10_000, 1000)), ['small', 'large']);
  const larger = [cut('one', 9000, 1000), cut('even', 5000, 5000)];
  assert.deepEqual(namesOf(bestCuts(larger, 10_000, 100)), ['even', 'one']);
});

test('a facet whose values all domains or single ones have does not cut', () => {
  const facets = [cut('same', 500), cut('each', 1, 1, 1), cut('none'), cut('two', 300, 200)];
  assert.deepEqual(namesOf(bestCuts(facets, 500, 100)), ['two']);
});
