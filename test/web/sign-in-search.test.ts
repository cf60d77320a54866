import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseSearch, type RawSearch, stringifySearch } from '../../web/src/data/address.ts';
import { providerDialogs, signInSearch } from '../../web/src/pages/account/sign-in/sign-in-search.ts';
import { signInPageSearch } from '../../web/src/pages/entry/sign-in-page-search.ts';

test('the page of identity providers has the same address for the same state', () => {
  const raw = fc.record(
    { do: fc.constantFrom(...providerDialogs, 'nothing'), id: fc.string(), tested: fc.string() },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(raw, (given) => {
      const state = signInSearch(given);
      const again = signInSearch(parseSearch(stringifySearch(state as RawSearch)));
      assert.deepEqual(again, state);
    }),
  );
});

test('a dialog about a provider needs the provider', () => {
  assert.deepEqual(signInSearch({ do: 'change' }), {});
  assert.deepEqual(signInSearch({ do: 'new', id: 'x' }), { do: 'new' });
});

test('only known reasons of a refusal are shown on the page to sign in', () => {
  assert.deepEqual(signInPageSearch({ fault: 'not-permitted', next: '/monitors' }), {
    fault: 'not-permitted',
    next: '/monitors',
  });
  assert.deepEqual(signInPageSearch({ fault: 'You have won! Call 555' }), {});
});
