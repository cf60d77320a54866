/** A name that may be like a term, looked at closely: its letters, its labels, and which part somebody registered. */
import { findRegistrableDomain } from '../registrable-domain.ts';
import { type Letters, lettersOf } from './letters.ts';
import { isAscii, punycodeName } from './unicode-name.ts';

export class NameView {
  /** Unicode, lower case. */
  readonly name: string;
  /** Only where it differs. */
  readonly punycode: string | undefined;
  /** Where the label begins that somebody registered, and where it ends: there the public suffix begins with its dot. */
  readonly ownFrom: number;
  readonly ownTo: number;
  #letters: Letters | undefined;

  /** With the punycode where it is known. */
  constructor(name: string, known?: string) {
    const punycode = known ?? punycodeName(name);
    const domain = findRegistrableDomain(punycode ?? name);
    const ownTo = domain === undefined ? name.indexOf('.') : suffixAt(name, domain.split('.').length - 1);
    const end = ownTo < 0 ? name.length : ownTo;
    this.name = name;
    this.punycode = isAscii(name) ? undefined : punycode;
    this.ownFrom = end === 0 ? 0 : name.lastIndexOf('.', end - 1) + 1;
    this.ownTo = end;
  }

  /** Made when they are asked for: many names need no look at them. */
  get letters(): Letters {
    this.#letters ??= lettersOf(this.name);
    return this.#letters;
  }
}

/** Counted in labels, because those of the punycode are of other lengths. */
function suffixAt(name: string, labels: number): number {
  let at = name.length;
  for (let label = 0; label < labels && at > 0; label += 1) at = name.lastIndexOf('.', at - 1);
  return at;
}
