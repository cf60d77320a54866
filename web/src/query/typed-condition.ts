/** What somebody typed or pasted where a condition is wanted: `registrar=Ember & Ash`, a name, an address, a list of names. */
import { guessList, type PasteGuess } from '../names/paste-guess.ts';
import { type Comparison, type Condition, usualComparison, valueIs } from './condition.ts';

const writtenForm = /^\s*([a-z][\w:.]*)\s*(!=|>=|<=|=|>|<|:)\s*(\S[^]*?)\s*$/i;

function written(text: string, isField: (name: string) => boolean): Condition | undefined {
  const [, name = '', sign = '', value = ''] = writtenForm.exec(text) ?? [];
  const field = name.toLowerCase();
  if (value === '' || !isField(field)) return undefined;
  if (sign === '!=') return valueIs(field, value, true);
  const comparison = sign === '=' || sign === ':' ? usualComparison(field) : (sign as Comparison);
  return { field, not: false, comparison, value };
}

const fieldOfKind: Readonly<Partial<Record<PasteGuess['kind'], string>>> = {
  domain: 'domain',
  ip: 'ip',
  email: 'email',
  hash: 'ssl_hash',
};

const certificateHash = /^[0-9a-f]{40}$/;

/** Names of a list are alternatives; of other things one is a search. */
function pasted(text: string): Condition | undefined {
  const guesses = guessList(text);
  const [first] = guesses;
  if (!first) return undefined;
  if (guesses.every(({ kind }) => kind === 'domain'))
    return valueIs('domain', guesses.map(({ value }) => value).join(','));
  const field = fieldOfKind[first.kind];
  if (guesses.length > 1 || field === undefined) return undefined;
  return first.kind === 'hash' && !certificateHash.test(first.value)
    ? undefined
    : valueIs(field, first.value);
}

export function typedCondition(text: string, isField: (name: string) => boolean): Condition | undefined {
  return written(text, isField) ?? pasted(text);
}
