import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { hasTooManyParameters, parametersMax, readPairs } from '../../src/http/query-string.ts';
import { anyCharacter } from '../harness/arbitraries/any-character.ts';

const marks = fc.constantFrom(
  'a',
  '&',
  '=',
  '+',
  '?',
  '#',
  ';',
  ' ',
  '\0',
  '[]',
  '%41',
  '%26',
  '%3D',
  '%2B',
  '%25',
  '%c3%a9',
);
const broken = fc.constantFrom('%', '%zz', '%4', '%c3', '%ff', '%ef%bb%bf', '%ed%a0%80', '%f0%9f%98');
const characters = fc.oneof(
  fc.constantFrom('é', '\u{1F600}', '\ufeff', '\ud800'),
  fc.string({ unit: anyCharacter, maxLength: 4 }),
);
const textOf = (...parts: readonly fc.Arbitrary<string>[]) =>
  fc.array(fc.oneof(...parts), { maxLength: 30 }).map((all) => all.join(''));

test('the pairs of a query string are those of URLSearchParams', () => {
  // Not both in one text: there, that of Node takes the low byte of each character.
  const written = fc.oneof(
    textOf(marks, broken),
    textOf(
      marks,
      characters.map((text) => text.replaceAll('%', '')),
    ),
  );
  fc.assert(
    fc.property(written, (text) => assert.deepEqual(readPairs(text), [...new URLSearchParams(text)])),
    { numRuns: 5000 },
  );
});

test('characters beside a broken percent sequence stay as they are', () => {
  assert.deepEqual(readPairs('%c3\u{1F600}=é%'), [['\ufffd\u{1F600}', 'é%']]);
});

test('no more than the maximum number of parameters is read', () => {
  for (const one of ['a&', 'a=b&', '%41&', '=&', '+&']) {
    assert.equal(readPairs(one.repeat(parametersMax)).length, parametersMax, one);
    assert.equal(readPairs(one.repeat(5 * parametersMax)).length, parametersMax, one);
  }
  assert.equal(hasTooManyParameters(Array(parametersMax).fill('a').join('&')), false);
  assert.equal(
    hasTooManyParameters(
      Array(parametersMax + 1)
        .fill('a')
        .join('&'),
    ),
    true,
  );
  assert.equal(hasTooManyParameters('&'.repeat(parametersMax)), true);
});
