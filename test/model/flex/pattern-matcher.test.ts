/** Matching in steps: the same results however it is interrupted, and a bounded number of steps for each character. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { compileFlexPattern } from '../../../src/model/flex/flex-pattern.ts';
import { LazyDfa } from '../../../src/model/flex/lazy-dfa.ts';
import { matchedBytes } from '../../../src/model/flex/pattern-matcher.ts';
import { PatternReader } from '../../../src/model/flex/pattern-reader.ts';
import { withoutOpenEnds } from '../../../src/model/flex/pattern-tree.ts';
import { readRegex } from '../../../src/model/flex/regex.ts';
import { compileNfa } from '../../../src/model/flex/thompson-nfa.ts';

const states = (pattern: string) =>
  compileNfa(withoutOpenEnds(readRegex(new PatternReader(pattern, 'pattern'))));

/** A cache too small for any pattern, so that the NFA is simulated from the first characters on. */
const simulating = (pattern: string) => new LazyDfa(states(pattern), 1);

function decide(matcher: LazyDfa, text: string, workMax = Number.POSITIVE_INFINITY): boolean {
  matcher.begin(matchedBytes(text), text.length);
  for (let steps = 0; ; steps += 1) {
    const matched = matcher.resume(workMax);
    if (matched !== undefined) return matched;
    assert.ok(steps < 10_000, 'it does not advance');
  }
}

const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '(a|bb)', '(ab|b)', '(a|^b)', '(b$|a)', '(a?b)');
const repeated = fc
  .tuple(atom, fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,3}', '{0,2}', '{2,}'))
  .map(([one, times]) => one + times);
const pattern = fc
  .tuple(
    fc.constantFrom('', '', '^'),
    fc.array(repeated, { minLength: 1, maxLength: 8 }),
    fc.constantFrom('', '', '$'),
  )
  .map(([start, parts, end]) => start + parts.join('') + end);
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 14 });

test('the simulated NFA matches what the equivalent RegExp matches', () => {
  let matched = 0;
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 6, maxLength: 6 }), (ours, texts) => {
      const matcher = simulating(ours);
      const expected = new RegExp(ours);
      for (const each of texts) {
        assert.equal(decide(matcher, each), expected.test(each), `${ours} on ${JSON.stringify(each)}`);
        if (expected.test(each)) matched += 1;
      }
    }),
    { numRuns: 2000 },
  );
  assert.ok(matched > 500, `only ${matched} matches: the texts are useless`);
});

test('a match that is interrupted at every step, and loses its cache, has the same result', () => {
  fc.assert(
    fc.property(pattern, text, fc.constantFrom(1, 40, 1 << 17), (ours, each, cacheMax) => {
      const matcher = new LazyDfa(states(ours), cacheMax);
      matcher.begin(matchedBytes(each), each.length);
      let matched: boolean | undefined;
      for (let steps = 0; matched === undefined && steps < 1000; steps += 1) {
        matched = matcher.resume(0);
        matcher.dropCache();
      }
      assert.equal(matched, new RegExp(ours).test(each), `${ours} on ${JSON.stringify(each)}`);
    }),
    { numRuns: 1000 },
  );
});

const letters = fc.sample(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 4096, maxLength: 4096 }), {
  numRuns: 12,
  seed: 7,
});

/** The steps of 4,096 units of work in which the texts are decided, after the caches have been built. */
function stepsFor(kind: 'regex' | 'glob', hostile: string): number {
  const { matcher } = compileFlexPattern(kind, hostile);
  let steps = 0;
  for (const [index, each] of letters.entries()) {
    matcher.begin(matchedBytes(each), each.length);
    for (let matched: boolean | undefined; matched === undefined; matched = matcher.resume(4096)) {
      if (index >= 8) steps += 1;
    }
  }
  return steps;
}

for (const [kind, hostile, unitsPerCharacter] of [
  ['regex', 'a[ab]{200}c', 16],
  ['regex', '[ab]*a[ab]{255}[ab]{255}[ab]{255}x', 40],
  ['regex', '(a|b)*a(a|b){60}c', 512],
  ['glob', `*${'a*b*'.repeat(16)}c*`, 1],
  ['glob', `*a${'?'.repeat(200)}c*`, 16],
] as const) {
  test(`${kind} ${hostile.slice(0, 40)} costs at most ${unitsPerCharacter} units of work for each character`, () => {
    const steps = stepsFor(kind, hostile);
    assert.ok(steps <= 4 * (unitsPerCharacter + 2), `${steps} steps for 4 texts`);
  });
}
