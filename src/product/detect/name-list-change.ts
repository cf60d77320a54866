/** A change of a list of domain names that an account keeps: its own domains, its allow list. */
import { fieldProblem } from '../../model/problem.ts';
import { normaliseText } from '../../model/record/normalise-text.ts';

export interface NameListChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** Names are in Unicode or punycode, in any letter case. */
export function getNameListChange(add: readonly string[], remove: readonly string[]): NameListChange {
  const [added, removed] = [getNames('add', add), getNames('remove', remove)];
  if (added.size + removed.size === 0)
    throw fieldProblem('invalid-parameters', 'add', 'must have a domain, or remove must');
  if ([...removed].some((name) => added.has(name)))
    throw fieldProblem('invalid-parameters', 'remove', 'has a domain that is to be added');
  return { add: [...added], remove: [...removed] };
}

function getNames(field: string, texts: readonly string[]): ReadonlySet<string> {
  const names = texts.map((text) => {
    const made = normaliseText('host', text);
    if (!('text' in made) || made.text === '')
      throw fieldProblem('invalid-parameters', field, 'must be domain names');
    return made.text;
  });
  return new Set(names);
}
