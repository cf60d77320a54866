/** Which types of records a question keeps: one, or a family under a name of its own. */
import { isDnssecType, typeNumber } from '../../model/dns/rr-type.ts';
import { fieldProblem } from '../../model/problem.ts';

export type KeepsType = (type: number) => boolean;

/** Everything but what DNSSEC adds. */
export const plainTypes: KeepsType = (type) => !isDnssecType(type);

/** `ANY` (which is left out as often as not), its number, `ANY-DNSSEC`, a mnemonic or `TYPEnnn`, in any letter case. */
export function getTypeFilter(text: string | undefined): KeepsType {
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
