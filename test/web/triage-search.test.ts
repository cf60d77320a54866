/** Every state of Triage is an address, and every address a state. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseSearch, stringifySearch } from '../../web/src/data/address.ts';
import {
  defaultSort,
  filterOf,
  lists,
  sorts,
  toggleValue,
  triageSearch,
  valueFilters,
  withoutFilters,
} from '../../web/src/pages/triage/triage-search.ts';
import { anyCharacter } from '../harness/arbitraries/any-character.ts';

const text = fc
  .string({ minLength: 1, maxLength: 20, unit: anyCharacter })
  .filter((one) => one.isWellFormed());
const texts = fc.uniqueArray(text, { minLength: 1, maxLength: 3 });

const states = fc
  .record(
    {
      s: fc.constantFrom(...lists.filter((list) => list !== 'new')),
      ...Object.fromEntries(valueFilters.map((filter) => [filter, texts])),
      mx: fc.constantFrom('yes', 'no'),
      q: text,
      since: text,
      sort: fc.constantFrom(...sorts),
      view: fc.constant('wall'),
      at: text,
      card: fc.constant(true),
      facets: fc.constant(true),
    },
    { requiredKeys: [] },
  )
  .map(triageSearch);

test('state to address to state is the identity', () => {
  fc.assert(
    fc.property(states, (state) => {
      assert.deepEqual(triageSearch(parseSearch(stringifySearch(state))), state);
    }),
  );
});

test('any address at all is understood, and its state has one address', () => {
  fc.assert(
    fc.property(fc.webQueryParameters(), (search) => {
      const state = triageSearch(parseSearch(search));
      assert.equal(
        stringifySearch(triageSearch(parseSearch(stringifySearch(state)))),
        stringifySearch(state),
      );
    }),
  );
});

test('defaults are absent from the address', () => {
  for (const list of lists)
    assert.deepEqual(triageSearch({ s: list, sort: defaultSort(list) }), list === 'new' ? {} : { s: list });
});

test('values that contain commas stay one value', () => {
  const state = { registrar: ['Foo, Inc.', 'Bar & Sons'] };
  assert.deepEqual(triageSearch(parseSearch(stringifySearch(state))), state);
});

test('the filter of a request has the list and the conditions, and nothing of the view', () => {
  assert.deepEqual(
    filterOf({ s: 'watched', tld: ['uk'], q: 'pay', sort: 'name', view: 'wall', at: 'x', card: true }),
    {
      list: 'watched',
      tld: ['uk'],
      q: 'pay',
    },
  );
});

test('choosing a value twice removes it', () => {
  const once = toggleValue({ at: 'x', card: true }, 'tld', 'uk');
  assert.deepEqual(once, { card: true, tld: ['uk'] });
  assert.deepEqual(toggleValue(once, 'tld', 'uk'), { card: true });
});

test('clearing the filters keeps list, order and view', () => {
  assert.deepEqual(
    withoutFilters({ s: 'ignored', q: 'x', ip: ['::1'], sort: 'name', view: 'wall', at: 'y' }),
    {
      s: 'ignored',
      sort: 'name',
      view: 'wall',
    },
  );
});
