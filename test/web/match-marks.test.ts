/** The marks in a name say what the steps of a match say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { applySteps } from '../../src/model/lookalike/explain/derivation.ts';
import { type MatchStep, namePieces, spokenSteps, termOf } from '../../src/model/triage/match-marks.ts';
import { codePoint, isUnseenInName } from '../../src/model/triage/unseen-characters.ts';

const letters = fc.string({
  unit: fc.constantFrom(...Array.from('abnoprt-а𝒂é')),
  minLength: 3,
  maxLength: 12,
});

/** A term and steps that can be applied to it, one after the other. */
const derivations = fc
  .tuple(
    letters,
    fc.array(
      fc.tuple(fc.nat(), fc.nat(2), fc.string({ unit: fc.constantFrom('x', 'y', 'z', 'ж'), maxLength: 2 })),
      {
        maxLength: 4,
      },
    ),
  )
  .map(([term, edits]) => {
    const steps: MatchStep[] = [];
    let now = term;
    for (const [from, length, inserted] of edits) {
      const at = from % (now.length + 1);
      const removed = now.slice(at, at + length);
      steps.push({ at, removed, inserted });
      now = now.slice(0, at) + inserted + now.slice(at + length);
    }
    return { term, steps, text: now };
  })
  // No step of a match cuts a character in two.
  .filter(({ text, steps }) =>
    [text, ...steps.map(({ removed }) => removed)].every((one) => one.isWellFormed()),
  );

test('undoing the steps of any match leads back to its term', () => {
  fc.assert(
    fc.property(derivations, ({ term, steps, text }) => {
      assert.equal(termOf(text, steps), term);
      assert.equal(
        applySteps(
          term,
          steps.map((step) => ({ ...step, class: 'exact' as const })),
        ),
        text,
      );
    }),
  );
});

test('the pieces of a name are the name, whatever the match', () => {
  fc.assert(
    fc.property(derivations, letters, letters, ({ steps, text }, before, after) => {
      const host = `${before}.${text}.${after}`;
      const drawn = namePieces(host, { host, text, steps }).filter(({ kind }) => kind !== 'gap');
      const expected = Array.from(host, (character) =>
        isUnseenInName(character) ? codePoint(character) : character,
      );
      assert.equal(drawn.map(({ text: piece }) => piece).join(''), expected.join(''));
    }),
  );
});

const marked = (host: string, text: string, steps: readonly MatchStep[]) =>
  namePieces(host, { host, text, steps }).map(({ kind, text: piece }) => `${kind}:${piece}`);

test('a character that was left out is a gap where it would stand', () => {
  assert.deepEqual(marked('login.cloudpatry.lumen', 'cloudpatry', [{ at: 7, removed: 'n', inserted: '' }]), [
    'rest:login.',
    'term:cloudpa',
    'gap:n',
    'term:try',
    'rest:.lumen',
  ]);
});

test('exchanged characters are marked after later steps have moved them', () => {
  const steps = [
    { at: 2, removed: 'ou', inserted: 'uo' },
    { at: 0, removed: '', inserted: 'x' },
  ];
  assert.deepEqual(marked('xcluod.test', 'xcluod', steps), [
    'put:x',
    'term:cl',
    'put:uo',
    'term:d',
    'rest:.test',
  ]);
});

test('a letter of another script is a piece of its own and names the script', () => {
  const pieces = namePieces('tessаltrade.brax', {
    host: 'tessаltrade.brax',
    text: 'tessаltrade',
    steps: [{ at: 4, removed: 'a', inserted: 'а' }],
  });
  assert.deepEqual(pieces[1], { kind: 'put', text: 'а', script: 'Cyrillic' });
});

test('a match that does not fit its name leaves the name without marks', () => {
  assert.deepEqual(marked('other.test', 'brand', []), ['rest:other.test']);
});

test('the suffix that a term is a domain of is not drawn as left out', () => {
  assert.deepEqual(marked('brand.shop', 'brand', [{ at: 5, removed: '.com', inserted: '' }]), [
    'term:brand',
    'rest:.shop',
  ]);
});

test('characters that cannot be seen in a name are shown as code points', () => {
  assert.deepEqual(marked('pay\u202elap.test', 'nothing', []), ['rest:pay', 'boxed:U+202E', 'rest:lap.test']);
});

test('screen readers are given the steps in words', () => {
  const steps = [
    { at: 1, removed: 'o', inserted: '0' },
    { at: 3, removed: 'n', inserted: '' },
    { at: 4, removed: '', inserted: 's' },
  ];
  assert.equal(spokenSteps(steps), 'o became 0, n left out, s put in');
});
