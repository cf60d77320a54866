/** A name that may be like a term, looked at closely: its letters, its labels, and which part somebody registered. */
import { findRegistrableDomain } from '../registrable-domain.ts';
import { type Letters, lettersOf } from './letters.ts';
import { isAscii, punycodeName } from './unicode-name.ts';

export interface NameView {
  /** Unicode, lower case. */
  readonly name: string;
  /** Only where it differs. */
  readonly punycode: string | undefined;
  readonly letters: Letters;
  /** Where the label begins that somebody registered, and where it ends: there the public suffix begins with its dot. */
  readonly ownFrom: number;
  readonly ownTo: number;
}

/** With the punycode where it is known. */
export function nameView(name: string, known?: string): NameView {
  const punycode = known ?? punycodeName(name);
  const domain = findRegistrableDomain(punycode ?? name);
  const ownTo = domain === undefined ? name.indexOf('.') : suffixAt(name, domain.split('.').length - 1);
  const end = ownTo < 0 ? name.length : ownTo;
  return {
    name,
    punycode: isAscii(name) ? undefined : punycode,
    letters: lettersOf(name),
    ownFrom: end === 0 ? 0 : name.lastIndexOf('.', end - 1) + 1,
    ownTo: end,
  };
}

/** Counted in labels, because those of the punycode are of other lengths. */
function suffixAt(name: string, labels: number): number {
  let at = name.length;
  for (let label = 0; label < labels && at > 0; label += 1) at = name.lastIndexOf('.', at - 1);
  return at;
}
