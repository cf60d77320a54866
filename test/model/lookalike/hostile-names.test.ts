/** Names and terms are untrusted: nothing throws, and every match is correct. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { applySteps } from '../../../src/model/lookalike/explain/derivation.ts';
import { spelledTerm } from '../../../src/model/lookalike/index/spelled-term.ts';
import type { LookalikeMatch } from '../../../src/model/lookalike/match.ts';
import { Matcher } from '../../../src/model/lookalike/matcher.ts';
import { anyCharacter } from '../../harness/arbitraries/any-character.ts';
import { propertyRuns } from '../../harness/property-runs.ts';

const oddText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom('a', 'm', 'r', 'n', 'i', '1', 'l', '-', '.', 'xn--', 'æ', 'а', '\u0301', '。', 'ß'),
    maxLength: 30,
  }),
);

function checkTrue(terms: readonly string[], matches: readonly LookalikeMatch[]): void {
  const numbers = matches.map(({ term }) => term);
  assert.equal(new Set(numbers).size, numbers.length);
  for (const match of matches) {
    assert.equal(match.name.slice(match.from, match.to), match.text);
    assert.equal(applySteps(spelledTerm(terms[match.term] as string).spelling, match.steps), match.text);
  }
}

test('any term and any name are matched without an error, and the steps lead from the term to the match', () => {
  fc.assert(
    fc.property(
      fc.array(oddText, { maxLength: 4 }),
      fc.boolean(),
      oddText,
      (texts, substringVariations, name) => {
        const terms = [...texts, name];
        const matcher = new Matcher(terms.map((text) => ({ text, substringVariations })));
        checkTrue(terms, matcher.match(name));
      },
    ),
    { numRuns: propertyRuns(1500) },
  );
});

test('any bytes are scanned without an error', () => {
  const terms = ['paypal', 'rnicrosoft', 'aaaaaaaaaaaaaa'];
  const matcher = new Matcher(terms.map((text) => ({ text, substringVariations: true })));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (bytes, ended) => {
      const lines = ended ? Buffer.concat([bytes, Buffer.from('\npaypal.com\n')]) : bytes;
      const found: string[] = [];
      matcher.scanLines(lines, (name, matches) => {
        found.push(name);
        checkTrue(terms, matches);
      });
      assert.ok(!ended || found.includes('paypal.com'));
    }),
    { numRuns: propertyRuns(1500) },
  );
});

test('overlong lines are skipped, and long labels and terms are matched', () => {
  const matcher = new Matcher(
    ['paypal', 'a'.repeat(63), 'b'.repeat(5000)].map((text) => ({ text, substringVariations: true })),
  );
  assert.deepEqual(matcher.match(`${'x'.repeat(2000)}paypal.com`), []);
  assert.equal(matcher.match(`${'x'.repeat(200)}paypal.com`).length, 1);
  assert.equal(matcher.match(`${'a'.repeat(62)}.com`).length, 1);
  assert.equal(matcher.match(`${'a.'.repeat(120)}com`)[0]?.class, 'dot');
});
