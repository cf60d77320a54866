/** A search by parameters, written in the query language. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { valueOfParameter } from '../../../src/product/investigate/catalogue/parameter-values.ts';
import { queryTextOf } from '../../../src/product/investigate/query-text.ts';
import { namedParameters, parsedParameters } from '../../../src/product/investigate/search-parameters.ts';
import { conditionOfSearch, type SearchPair } from '../../../src/product/investigate/search-text.ts';

const context = { accountId: 'a', userId: 'u', nowMs: Date.parse('2026-03-04T10:00:00Z'), domainsMax: 100 };

const hostileTexts = [
  'Ember & "Ash"',
  String.raw`back\slash`,
  'line\nbreak',
  "it's",
  ') OR (',
  '# no comment',
  'AND',
];
const texts = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ minLength: 1 }));

const pair: fc.Arbitrary<SearchPair> = fc.oneof(
  fc
    .constantFrom(...namedParameters)
    .chain(({ name }) =>
      fc.constantFrom(...valueOfParameter(name).examples).map((value): SearchPair => [name, value]),
    ),
  fc
    .tuple(
      fc.constantFrom(
        'registrar',
        'registrant',
        'website_title',
        ...parsedParameters.map(({ name }) => name),
      ),
      texts,
    )
    .map(([name, value]): SearchPair => [name, value]),
);

/** Undefined for a search that is not valid. */
function conditionOf(search: Parameters<typeof conditionOfSearch>[0]) {
  try {
    return conditionOfSearch(search, context);
  } catch {
    return undefined;
  }
}

test('a search by parameters and its query text have the same condition', () => {
  fc.assert(
    fc.property(fc.array(pair, { minLength: 1, maxLength: 4 }), (pairs) => {
      const parameters: SearchPair[] = [['ip', '192.0.2.10'], ...pairs];
      const condition = conditionOf({ parameters });
      fc.pre(condition !== undefined);
      assert.deepEqual(conditionOf({ query: queryTextOf({ parameters }) }), condition);
    }),
    { numRuns: 500 },
  );
});

test('a query is its own text', () => {
  assert.equal(queryTextOf({ query: '# v1\nip = 192.0.2.1' }), '# v1\nip = 192.0.2.1');
});
