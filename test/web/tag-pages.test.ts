/** Addresses of the list of tags, and what the dialog of tags sends. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseSearch, stringifySearch } from '../../web/src/data/address.ts';
import { foreign } from '../../web/src/data/foreign.ts';
import { instantOf, localTimeOf } from '../../web/src/pages/tags/expiry-field.ts';
import {
  type DomainTags,
  stateOf,
  type Tag,
  tagChangesOf,
  tagChoices,
} from '../../web/src/pages/tags/tag-choices.ts';
import { tagSorts, tagsSearch } from '../../web/src/pages/tags/tags-search.ts';
import { anyCharacter } from '../harness/arbitraries/any-character.ts';

const text = fc
  .string({ minLength: 1, maxLength: 20, unit: anyCharacter })
  .filter((one) => one.isWellFormed());

test('a state of the list of tags to its address to the state is the identity', () => {
  const states = fc
    .record({ q: text, sort: fc.constantFrom(...tagSorts), edit: text, remove: text }, { requiredKeys: [] })
    .map(tagsSearch);
  fc.assert(
    fc.property(states, (state) => {
      assert.deepEqual(tagsSearch(parseSearch(stringifySearch({ ...state }))), state);
    }),
  );
});

const tag = (label: string, scope: 'own' | 'team' = 'team'): Tag =>
  ({ id: label, label: foreign(label), scope, colour: 'grey' }) as Tag;
const given = (...labels: (readonly string[])[]): DomainTags =>
  ({
    domains: labels.map((of) => ({ tags: of.map((label) => ({ label: foreign(label), scope: 'team' })) })),
    missing: [],
  }) as unknown as DomainTags;

test('tags that some domains have come first, and it is known on how many they are', () => {
  const choices = tagChoices([tag('a'), tag('b'), tag('c')], given(['B', 'c'], ['c']), []);
  assert.deepEqual(
    choices.map((choice) => [choice.key, choice.has, stateOf(choice, new Map(), 2)]),
    [
      ['team b', 1, 'some'],
      ['team c', 2, 'all'],
      ['team a', 0, 'none'],
    ],
  );
});

test('only what differs is sent', () => {
  const choices = tagChoices([tag('a'), tag('b'), tag('c')], given(['b', 'c'], ['c']), [
    { label: 'New', scope: 'own' },
  ]);
  const wanted = new Map([
    ['team a', false],
    ['team b', true],
    ['team c', true],
    ['own new', true],
  ]);
  assert.deepEqual(tagChangesOf(choices, wanted, 2), {
    add: [
      { label: 'New', scope: 'own' },
      { label: 'b', scope: 'team' },
    ],
    remove: [],
  });
  assert.deepEqual(tagChangesOf(choices, new Map([['team c', false]]), 2).remove, [
    { label: 'c', scope: 'team' },
  ]);
});

test('the time of expiry is the same after a round trip through the field', () => {
  for (const instant of ['2026-12-31T18:00:00.000Z', '2027-07-01T00:30:00.000Z'])
    assert.equal(instantOf(localTimeOf(instant)), instant);
  assert.equal(instantOf(localTimeOf(null)), null);
  assert.equal(instantOf('nonsense'), undefined);
});
