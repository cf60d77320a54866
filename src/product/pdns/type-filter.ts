/** The record types that a query selects: one, or a named family. */
import { dnssecTypes, typeNumber } from '../../model/dns/rr-type.ts';
import { plainTypes, type TypeSelection } from '../../model/dns/type-selection.ts';
import { fieldProblem } from '../../model/problem.ts';

/** Parses `ANY` (the default), `TYPE255`, `ANY-DNSSEC`, a mnemonic or `TYPEnnn`, ignoring case. */
export function getTypes(text: string | undefined): TypeSelection {
  if (text === undefined) return plainTypes;
  const word = text.toUpperCase();
  if (word === 'ANY' || word === 'TYPE255') return plainTypes;
  if (word === 'ANY-DNSSEC') return { only: dnssecTypes };
  return { only: new Set([getType(text)]) };
}

export function getType(text: string): number {
  const type = typeNumber(text);
  if (type !== undefined) return type;
  throw fieldProblem(
    'invalid-parameters',
    'rrtype',
    'is not a known type; an unknown one is written TYPE and its number',
  );
}
