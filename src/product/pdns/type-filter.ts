/** The record types that a query selects: one, or a named family. */
import { isDnssecType, typeNumber } from '../../model/dns/rr-type.ts';
import { fieldProblem } from '../../model/problem.ts';

export type TypeFilter = (type: number) => boolean;

/** All types but those of DNSSEC. */
export const plainTypes: TypeFilter = (type) => !isDnssecType(type);

/** Parses `ANY` (the default), `TYPE255`, `ANY-DNSSEC`, a mnemonic or `TYPEnnn`, ignoring case. */
export function getTypeFilter(text: string | undefined): TypeFilter {
  if (text === undefined) return plainTypes;
  const word = text.toUpperCase();
  if (word === 'ANY' || word === 'TYPE255') return plainTypes;
  if (word === 'ANY-DNSSEC') return isDnssecType;
  const wanted = getType(text);
  return (type) => type === wanted;
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
