/** Every name derived from a term by up to two edits is found, and the steps lead from the term to it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { applySteps } from '../../../src/model/lookalike/explain/derivation.ts';
import { spelledTerm } from '../../../src/model/lookalike/index/spelled-term.ts';
import { Matcher } from '../../../src/model/lookalike/matcher.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { type Attack, type AttackerEdit, arbitraryEdits } from './attacker-edits.ts';

const realTerms = [
  'paypal',
  'microsoft',
  'wellsfargo',
  'facebook',
  'instagram',
  'americanexpress',
  'creditagricole',
  'netflix',
  'amazon',
  'linkedin',
  'dropbox',
  'office365',
  'phoneforyou',
  'bankofamerica',
  'coca-cola',
  'deutsche-bank',
  'cornell',
  'commonwealth',
] as const;
const arbitraryTerm = fc.oneof(
  fc.constantFrom(...realTerms),
  fc.stringMatching(/^[a-z]{6,16}$/),
  fc.stringMatching(/^[a-z]{3,6}-[a-z]{3,6}$/),
);

type Choice = readonly [edit: AttackerEdit, one: number, other: number];

/** Words are replaced first, then the text is edited, then it is placed in a name. */
const order = ['word', 'folding', 'edit', 'inside', 'position'];

function attackOf(term: string, choices: readonly Choice[]): Attack | undefined {
  let attack: Attack | undefined = { text: term, before: '', after: '' };
  for (const [{ make }, one, other] of choices) attack = attack && make(attack, one, other);
  return attack;
}

/** Two edits need a long term; inside a longer label one edit, or a variant word, needs substring variations. */
function isPromised(letters: number, kinds: readonly string[]): boolean {
  const edits = kinds.filter((kind) => kind === 'edit').length;
  const words = kinds.filter((kind) => kind === 'word').length;
  if (edits === 2) return letters >= 12;
  return words < 2;
}

function check(term: string, picked: readonly Choice[], substringVariations: boolean): boolean {
  const choices = picked.toSorted(([left], [right]) => order.indexOf(left.kind) - order.indexOf(right.kind));
  const kinds = choices.map(([{ kind }]) => kind);
  const { spelling, label } = spelledTerm(term);
  if (!isPromised(label.characters.length, kinds)) return false;
  const isVaried = kinds.includes('edit') || kinds.includes('word');
  if (!substringVariations && kinds.includes('inside') && isVaried) return false;
  const attack = attackOf(term, choices);
  if (!attack || attack.text.replaceAll(/[-.]/g, '').length < 5) return false;
  const name = `${attack.before}${attack.text}${attack.after}.example`;
  const what = `${name} from ${term} by ${choices.map(([edit]) => edit.name).join(' and ')}`;
  const [match] = new Matcher([{ text: term, substringVariations }]).match(name);
  assert.ok(match, `${what} is not found`);
  assert.equal(match.name.slice(match.from, match.to), match.text, what);
  assert.equal(applySteps(spelling, match.steps), match.text, what);
  assert.ok(match.distance <= 2, what);
  return true;
}

for (const substringVariations of [false, true]) {
  const where = substringVariations ? 'anywhere in a label' : 'of a whole label';
  test(`a composition of up to two edits ${where} is always found, and its steps lead from the term to the text`, () => {
    let checked = 0;
    const numRuns = propertyRuns(3000);
    fc.assert(
      fc.property(arbitraryTerm, arbitraryEdits, (term, edits) => {
        if (check(term, edits, substringVariations)) checked += 1;
      }),
      { numRuns },
    );
    assert.ok(checked > numRuns / 2, `${checked} were promised`);
  });
}
