/** Names and terms come from strangers: nothing of them throws, and whatever is found is true. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { follows } from '../../../src/model/lookalike/derivation.ts';
import type { LookalikeMatch } from '../../../src/model/lookalike/match.ts';
import { Matcher } from '../../../src/model/lookalike/matcher.ts';
import { spelledTerm } from '../../../src/model/lookalike/spelled-term.ts';

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
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
    assert.equal(follows(spelledTerm(terms[match.term] as string).spelling, match.steps), match.text);
  }
}

test('any term and any name end without an error, and what is found follows from the term', () => {
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
    { numRuns: 3000 },
  );
});

test('any bytes end without an error', () => {
  const terms = ['paypal', 'rnicrosoft', 'aaaaaaaaaaaaaa'];
  const matcher = new Matcher(terms.map((text) => ({ text, substringVariations: true })));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (bytes, ended) => {
      const lines = ended ? Buffer.concat([bytes, Buffer.from('\npaypal.com\n')]) : bytes;
      const told: string[] = [];
      matcher.scanLines(lines, (name, matches) => {
        told.push(name);
        checkTrue(terms, matches);
      });
      assert.ok(!ended || told.includes('paypal.com'));
    }),
    { numRuns: 3000 },
  );
});

test('long lines are no names, long labels and long terms do no harm', () => {
  const matcher = new Matcher(
    ['paypal', 'a'.repeat(63), 'b'.repeat(5000)].map((text) => ({ text, substringVariations: true })),
  );
  assert.deepEqual(matcher.match(`${'x'.repeat(2000)}paypal.com`), []);
  assert.equal(matcher.match(`${'x'.repeat(200)}paypal.com`).length, 1);
  assert.equal(matcher.match(`${'a'.repeat(62)}.com`).length, 1);
  assert.equal(matcher.match(`${'a.'.repeat(120)}com`)[0]?.class, 'dot');
});
