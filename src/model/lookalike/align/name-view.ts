/** A name under verification: its letters, its punycode form, and which label is the registered one. */
import { findRegistrableDomain } from '../../registrable-domain.ts';
import { isAscii, punycodeName } from '../fold/unicode-name.ts';
import { type Letters, lettersOf } from './letters.ts';

export class NameView {
  /** Unicode, lower case. */
  readonly name: string;
  /** Only where it differs. */
  readonly punycode: string | undefined;
  /** The range of the registered label; the public suffix, with its dot, begins at `registeredTo`. */
  readonly registeredFrom: number;
  readonly registeredTo: number;
  #letters: Letters | undefined;

  /** `known` is the punycode form, if the caller has it. */
  constructor(name: string, known?: string) {
    const punycode = known ?? punycodeName(name);
    const domain = findRegistrableDomain(punycode ?? name);
    const suffixFrom =
      domain === undefined ? name.indexOf('.') : suffixAt(name, domain.split('.').length - 1);
    const end = suffixFrom < 0 ? name.length : suffixFrom;
    this.name = name;
    this.punycode = isAscii(name) ? undefined : punycode;
    this.registeredFrom = end === 0 ? 0 : name.lastIndexOf('.', end - 1) + 1;
    this.registeredTo = end;
  }

  /** Computed on demand: many names do not need them. */
  get letters(): Letters {
    this.#letters ??= lettersOf(this.name);
    return this.#letters;
  }
}

/** Counted in labels, because punycode labels have other lengths. */
function suffixAt(name: string, labels: number): number {
  let at = name.length;
  for (let label = 0; label < labels && at > 0; label += 1) at = name.lastIndexOf('.', at - 1);
  return at;
}
