import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Matcher } from '../../../src/model/lookalike/matcher.ts';
import { brands } from '../../../world/story/brands.ts';
import { findLookalike } from '../../../world/story/lookalike-names.ts';
import { Random } from '../../../world/story/random.ts';

const matcher = new Matcher(brands.map(({ word }) => ({ text: word, substringVariations: true })));

test('every lookalike that crews think of is found by a monitor of the brand, some of them in other scripts', () => {
  const taken = new Set<string>();
  const missed: string[] = [];
  for (const brand of brands) {
    const random = new Random(brand.word);
    for (let index = 0; index < 100; index += 1) {
      const name = findLookalike(brand, random, (each) => taken.has(each));
      if (name === undefined) continue;
      taken.add(name);
      if (!matcher.match(name).some(({ term }) => brands[term]?.word === brand.word)) missed.push(name);
    }
  }
  assert.ok(taken.size > 500);
  assert.ok([...taken].some((name) => name.startsWith('xn--')));
  assert.deepEqual(missed, []);
});

test('where every name is taken none is found', () => {
  const [brand] = brands;
  assert.ok(brand);
  assert.equal(
    findLookalike(brand, new Random('1'), () => true),
    undefined,
  );
});
