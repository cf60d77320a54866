/** Addresses of the Passive DNS page, and the bars of its timeline. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseSearch, stringifySearch } from '../../web/src/data/address.ts';
import {
  passiveDnsSearch,
  pdnsViews,
  questionOf,
} from '../../web/src/pages/passive-dns/passive-dns-search.ts';
import { barsOf } from '../../web/src/pages/passive-dns/timeline-bars.ts';
import { anyCharacter } from '../harness/arbitraries/any-character.ts';

const text = fc
  .string({ minLength: 1, maxLength: 30, unit: anyCharacter })
  .filter((one) => one.isWellFormed());
const day = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

const states = fc
  .record(
    {
      name: fc.oneof(text, fc.constantFrom('*.example.com', '/^a+b/', '192.0.2.0/24', 'bücher.example')),
      side: fc.constantFrom('names', 'data'),
      type: fc.constantFrom('A', 'AAAA', 'TYPE65'),
      from: day,
      to: day,
      view: fc.constantFrom(...pdnsViews),
      raw: fc.boolean(),
      sort: fc.constantFrom('name', 'newest'),
      cursor: text,
      table: fc.boolean(),
    },
    { requiredKeys: [] },
  )
  .map(passiveDnsSearch);

test('a state of the page to its address to the state is the identity', () => {
  fc.assert(
    fc.property(states, (state) => {
      assert.deepEqual(passiveDnsSearch(parseSearch(stringifySearch({ ...state }))), state);
    }),
  );
});

test('any address at all is understood, and its state has one address', () => {
  fc.assert(
    fc.property(fc.webQueryParameters(), (search) => {
      const state = passiveDnsSearch(parseSearch(search));
      assert.deepEqual(passiveDnsSearch(parseSearch(stringifySearch({ ...state }))), state);
    }),
  );
});

test('the question is the part of the address that is asked', () => {
  const state = passiveDnsSearch({
    name: 'a.example',
    type: 'a',
    view: 'calendar',
    sort: 'name',
    from: 'soon',
  });
  assert.deepEqual(questionOf(state), { name: 'a.example', type: 'A' });
  assert.equal(questionOf({}), undefined);
});

test('bars lie between the first and the last sighting of all records', () => {
  const record = (first: string, last: string) => ({
    first: `${first}T00:00:00Z`,
    last: `${last}T00:00:00Z`,
  });
  const { bars, first, last } = barsOf([
    record('2026-01-01', '2026-01-05'),
    record('2026-01-03', '2026-01-03'),
  ]);
  assert.deepEqual(
    bars.map(({ left, width }) => [left, width]),
    [
      [0, 100],
      [50, 0],
    ],
  );
  assert.deepEqual([first.slice(0, 10), last.slice(0, 10)], ['2026-01-01', '2026-01-05']);
  assert.deepEqual(barsOf([record('2026-01-01', '2026-01-01')]).bars[0]?.width, 100);
});
