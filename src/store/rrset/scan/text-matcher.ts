/**
 * Decides whether a text matches one pattern and not another, in steps: a pattern can be made to cost milliseconds for one text, and
 * a step ends with the time slice.
 */
import { nameTextMax, putNameText } from '../../../model/dns/name.ts';
import { compileFlexPattern, type Prefilter } from '../../../model/flex/flex-pattern.ts';
import { matchedBytes, type PatternMatcher } from '../../../model/flex/pattern-matcher.ts';
import type { TextScan } from '../../rrset-store.ts';

/** Only the beginning of longer texts is matched. */
const matchedCharactersMax = 4096;
/** Between two checks of the time; some tenths of a millisecond. */
const workPerTimeCheck = 65_536;

export class TextMatcher {
  readonly prefilter: Prefilter;
  readonly #wanted: PatternMatcher;
  readonly #unwanted: PatternMatcher | undefined;
  readonly #nameText = new Uint8Array(nameTextMax);
  #text: Uint8Array = this.#nameText;
  #length = 0;
  #current: PatternMatcher | undefined;

  constructor({ pattern, exclude }: Pick<TextScan, 'pattern' | 'exclude'>) {
    const { matcher, prefilter } = compileFlexPattern(pattern.kind, pattern.text);
    this.prefilter = prefilter;
    this.#wanted = matcher;
    this.#unwanted = exclude && compileFlexPattern(exclude.kind, exclude.text, 'exclude').matcher;
  }

  begin(text: string): void {
    const matched = text.slice(0, matchedCharactersMax);
    this.#begin(matchedBytes(matched), matched.length);
  }

  /** The same with the text of the name at an offset, which is not made for the many that do not match. */
  beginName(bytes: Uint8Array, at: number): void {
    this.#begin(this.#nameText, putNameText(bytes, at, this.#nameText));
  }

  #begin(text: Uint8Array, length: number): void {
    this.#text = text;
    this.#length = length;
    this.#current = this.#wanted;
    this.#wanted.begin(text, length);
  }

  /** Undefined when the time is up before the text is decided; then call it again. It always advances. */
  resume(untilMs: number): boolean | undefined {
    for (;;) {
      const matched = this.#current?.resume(workPerTimeCheck);
      if (matched !== undefined) {
        if (this.#current === this.#unwanted) return !matched;
        if (!matched || !this.#unwanted) return matched;
        this.#current = this.#unwanted;
        this.#unwanted.begin(this.#text, this.#length);
      } else if (performance.now() >= untilMs) return undefined;
    }
  }

  dropCache(): void {
    this.#wanted.dropCache();
    this.#unwanted?.dropCache();
  }
}
