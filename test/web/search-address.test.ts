/** Every state of Search is an address, and every address a state. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { namedParameters, parsedParameters } from '../../src/product/investigate/search-parameters.ts';
import { parseSearch, type RawSearch, stringifySearch } from '../../web/src/data/address.ts';
import {
  addressOf,
  directions,
  pagesMax,
  type SearchState,
  searchAddress,
  sorts,
  stateOf,
} from '../../web/src/pages/search/search-address.ts';
import { anyCharacter } from '../harness/arbitraries/any-character.ts';

const text = fc
  .string({ minLength: 1, maxLength: 20, unit: anyCharacter })
  .filter((one) => one.isWellFormed());
const names = [...namedParameters, ...parsedParameters].map(({ name }) => name);
const parameters = fc
  .dictionary(fc.constantFrom(...names), fc.uniqueArray(text, { minLength: 1, maxLength: 4 }), {
    minKeys: 1,
    maxKeys: 6,
    noNullPrototype: true,
  })
  .map((found) => ({ parameters: found }));

const states: fc.Arbitrary<SearchState> = fc.record(
  {
    query: fc.oneof(parameters, fc.record({ ql: text }, { noNullPrototype: true })),
    sort: fc.record(
      { by: fc.constantFrom(...sorts), direction: fc.constantFrom(...directions) },
      { noNullPrototype: true },
    ),
    columns: fc.uniqueArray(text, { minLength: 1, maxLength: 5 }),
    pages: fc.integer({ min: 2, max: pagesMax }),
    facets: fc.constantFrom('open', 'closed'),
    text: fc.constant(true),
  },
  { requiredKeys: [], noNullPrototype: true },
);

const through = (address: RawSearch) => parseSearch(stringifySearch(address));

test('state to address to state is the identity', () => {
  fc.assert(fc.property(states, (state) => assert.deepEqual(stateOf(through(addressOf(state))), state)));
});

test('any address at all is understood, and its state has one address', () => {
  fc.assert(
    fc.property(fc.webQueryParameters(), (search) => {
      const address = searchAddress(parseSearch(search));
      assert.equal(stringifySearch(searchAddress(through(address))), stringifySearch(address));
    }),
  );
});

test('values with commas, other scripts and several domains stay what they are', () => {
  const query = {
    parameters: { registrar: ['Foo, Inc.', 'Бар & Söhne'], domain: ['one.example', 'два.example'] },
  };
  assert.deepEqual(stateOf(through(addressOf({ query }))), { query });
});

test('options of an API request and names that are none of a parameter are left out', () => {
  const raw = parseSearch(
    '?registrar=x&page_size=5&position=abc&api_key=k&__proto__=y&Foo-Bar=z&pages=999&sort_by=nothing',
  );
  assert.deepEqual(stateOf(raw), { query: { parameters: { registrar: ['x'] } } });
});
