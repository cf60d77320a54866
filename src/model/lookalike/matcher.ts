/**
 * Finds the names that resemble terms (typosquats, combosquats, homoglyphs …) and explains each match. One pass over a name
 * serves all terms, so thousands of terms cost hardly more than one. Filter and verify:
 *
 * 1. Fold (`fold/`). Names and terms become sequences of symbols in which confusable characters coincide: UTS 39 skeletons
 *    (https://www.unicode.org/reports/tr39/) for Unicode, a table of ASCII homoglyphs (0 = o, m = rn) on top.
 * 2. Find candidates (`index/`), in one scan of the name's bytes that allocates nothing:
 *    - exact containment: each term is filed under its rarest 6-gram, behind a Bloom filter (`gram-index.ts`);
 *    - whole labels within one or two edits: SymSpell deletion neighbourhoods (https://github.com/wolfgarbe/SymSpell). Terms are
 *      indexed under their deletions; the deletions of a label are polynomial rolling hashes, looked up in a hash table behind a
 *      Bloom filter (`deletion-neighbourhood.ts`). Homophones, numerals and plurals are indexed as further terms, and labels made
 *      of weak homoglyphs under a coarse key (`fold/coarse-key.ts`);
 *    - one edit inside a longer label: by the pigeonhole principle one half of the term is intact, and an Aho-Corasick automaton
 *      finds the halves (`half-term-index.ts`);
 *    - lower bounds on the edit distance reject most hash collisions at once (`align/edit-distance-bound.ts`).
 * 3. Verify (`align/`): a weighted, bounded Damerau-Levenshtein alignment accepts or rejects each candidate and decides which
 *    edits were made; `length-thresholds.ts` says how much variation a term of a given length allows.
 * 4. Explain (`explain/`): the alignment becomes a derivation, steps that lead from the term to the matched text. The class of
 *    the match (`match.ts`) is the most significant class among its steps and its position in the name.
 */

import { NameView } from './align/name-view.ts';
import { verifyCandidates } from './align/verify-candidates.ts';
import { byteCodes, skeletonCodes, skeletonOf } from './fold/fold.ts';
import { isAscii, unicodeName } from './fold/unicode-name.ts';
import { type IndexedTerm, indexedTerm } from './index/indexed-term.ts';
import { NameScan, nameLengthMax } from './index/name-scan.ts';
import { TermIndex } from './index/term-index.ts';
import type { LookalikeMatch, Term } from './match.ts';

const encoder = new TextEncoder();
const keyOf = ({ text, substringVariations }: Term) => (substringVariations ? '+' : '-') + text;

export class Matcher {
  readonly #prepared = new Map<string, IndexedTerm>();
  /** By indexed term: the terms of the caller's list with that spelling. */
  readonly #listed: readonly (readonly number[])[];
  readonly #scan: NameScan;
  readonly #terms: readonly IndexedTerm[];
  readonly #bytes = new Uint8Array(nameLengthMax * 4);
  readonly #skeleton = new Uint8Array(nameLengthMax * 4);
  /** By byte of the skeleton: the offset in the name at which its character ends, or 0 if more bytes of it follow. */
  readonly #ends = new Int32Array(nameLengthMax * 4 + 1);
  readonly #starts = new Int32Array(nameLengthMax * 4 + 1);

  /** Reuses the prepared terms of `previous`, an earlier matcher with partly the same terms. */
  constructor(terms: readonly Term[], previous?: Matcher) {
    const known = previous && previous.#prepared;
    const indexes = new Map<string, number>();
    const indexed: IndexedTerm[] = [];
    const listed: number[][] = [];
    terms.forEach((term, number) => {
      const key = keyOf(term);
      const prepared = this.#prepared.get(key) ?? known?.get(key) ?? indexedTerm(term);
      this.#prepared.set(key, prepared);
      const spelled = keyOf({ text: prepared.spelling, substringVariations: term.substringVariations });
      const index = indexes.get(spelled) ?? indexed.push(prepared) - 1;
      indexes.set(spelled, index);
      (listed[index] ??= []).push(number);
    });
    this.#listed = listed;
    this.#scan = new NameScan(new TermIndex(indexed));
    this.#terms = indexed;
  }

  /** A host name or domain in punycode or Unicode, any case. At most one match for each term. */
  match(name: string): readonly LookalikeMatch[] {
    const { read, written } = encoder.encodeInto(name, this.#bytes);
    if (read < name.length) return [];
    let found: readonly LookalikeMatch[] = [];
    this.scanLines(this.#bytes.subarray(0, written), (_, matches) => {
      found = matches;
    });
    return found;
  }

  /** Matches one name a line and reports the names with a match, spelled as in the input. */
  scanLines(lines: Uint8Array, onHit: (name: string, matches: readonly LookalikeMatch[]) => void): void {
    const scan = this.#scan;
    const text = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength);
    for (let begin = 0; begin < lines.length; ) {
      while (isBlank(lines[begin])) begin += 1;
      const end = scan.scan(lines, begin, lines.length, byteCodes);
      if (scan.isBeyondAscii || scan.candidates.length > 0) this.#verify(text, begin, end, onHit);
      begin = end + 1;
    }
  }

  #verify(
    lines: Buffer,
    begin: number,
    end: number,
    onHit: (name: string, matches: readonly LookalikeMatch[]) => void,
  ): void {
    const line = lines.toString(this.#scan.isBeyondAscii ? 'utf8' : 'latin1', begin, end).trimEnd();
    const shown = line.endsWith('.') ? line.slice(0, -1) : line;
    const name = unicodeName(line);
    let isFolded = false;
    if (this.#scan.isBeyondAscii) {
      const length = this.#fold(name);
      this.#scan.scan(this.#skeleton, 0, length, skeletonCodes);
      isFolded = true;
    }
    if (this.#scan.candidates.length === 0) return;
    const offsets = isFolded ? { starts: this.#starts, ends: this.#ends } : undefined;
    const view = new NameView(name, isAscii(shown) ? shown.toLowerCase() : undefined);
    const matches = verifyCandidates(this.#terms, view, this.#scan.candidates, offsets);
    if (matches.length === 0) return;
    onHit(shown, this.#listedMatches(matches));
  }

  /** Repeats each match for every term of the caller's list that is spelled alike, in the order of the list. */
  #listedMatches(matches: readonly LookalikeMatch[]): readonly LookalikeMatch[] {
    const listed: LookalikeMatch[] = [];
    for (const match of matches) {
      for (const term of this.#listed[match.term] as readonly number[]) {
        listed.push(term === match.term ? match : { ...match, term });
      }
    }
    return listed.length < 2 ? listed : listed.sort((left, right) => left.term - right.term);
  }

  /** Writes the skeleton of a name and the offsets of its characters, and returns the length of the skeleton. */
  #fold(name: string): number {
    let [length, at] = [0, 0];
    for (const character of name) {
      const skeleton = character < '\u0080' ? character : skeletonOf(character);
      for (let byte = 0; byte < skeleton.length && length < nameLengthMax * 4; byte += 1) {
        this.#skeleton[length] = skeleton.charCodeAt(byte);
        this.#starts[length] = at;
        this.#ends[length++] = byte === skeleton.length - 1 ? at + character.length : 0;
      }
      at += character.length;
    }
    this.#starts[length] = at;
    return length;
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a;
}
