/**
 * Names that look like terms, and why. One pass over a name serves all terms: it costs hardly more for many than for one. What
 * the pass finds is looked at closely; `lengths.ts` says what short terms are spared.
 */
import { byteCodes, skeletonCodes, skeletonOf } from './fold.ts';
import { type IndexedTerm, indexedTerm } from './indexed-term.ts';
import { judge } from './judge.ts';
import type { LookalikeMatch, Term } from './match.ts';
import { NameView } from './name-view.ts';
import { NameWalk, nameLengthMax } from './name-walk.ts';
import { TermIndex } from './term-index.ts';
import { isAscii, unicodeName } from './unicode-name.ts';

const encoder = new TextEncoder();
const keyOf = ({ text, substringVariations }: Term) => (substringVariations ? '+' : '-') + text;

export class Matcher {
  readonly #prepared = new Map<string, IndexedTerm>();
  /** By term of the index: the terms of the list that are spelled so. */
  readonly #listed: readonly (readonly number[])[];
  readonly #walk: NameWalk;
  readonly #terms: readonly IndexedTerm[];
  readonly #bytes = new Uint8Array(nameLengthMax * 4);
  readonly #skeleton = new Uint8Array(nameLengthMax * 4);
  /** By byte of the skeleton: where the character ends in the name that it is the last byte for, or 0. */
  readonly #ends = new Int32Array(nameLengthMax * 4 + 1);
  readonly #starts = new Int32Array(nameLengthMax * 4 + 1);

  /** What `previous` knows of terms that are the same is used again. */
  constructor(terms: readonly Term[], previous?: Matcher) {
    const known = previous && previous.#prepared;
    const places = new Map<string, number>();
    const indexed: IndexedTerm[] = [];
    const listed: number[][] = [];
    terms.forEach((term, number) => {
      const key = keyOf(term);
      const prepared = this.#prepared.get(key) ?? known?.get(key) ?? indexedTerm(term);
      this.#prepared.set(key, prepared);
      const spelled = keyOf({ text: prepared.spelling, substringVariations: term.substringVariations });
      const place = places.get(spelled) ?? indexed.push(prepared) - 1;
      places.set(spelled, place);
      (listed[place] ??= []).push(number);
    });
    this.#listed = listed;
    this.#walk = new NameWalk(new TermIndex(indexed));
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

  /** Names one in a line; those that look like no term are not told. A name is told as it stands in its line. */
  scanLines(lines: Uint8Array, onHit: (name: string, matches: readonly LookalikeMatch[]) => void): void {
    const walk = this.#walk;
    const text = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength);
    for (let begin = 0; begin < lines.length; ) {
      while (isBlank(lines[begin])) begin += 1;
      const end = walk.walk(lines, begin, lines.length, byteCodes);
      if (walk.isBeyondAscii || walk.candidates.length > 0) this.#look(text, begin, end, onHit);
      begin = end + 1;
    }
  }

  #look(
    lines: Buffer,
    begin: number,
    end: number,
    onHit: (name: string, matches: readonly LookalikeMatch[]) => void,
  ): void {
    const line = lines.toString(this.#walk.isBeyondAscii ? 'utf8' : 'latin1', begin, end).trimEnd();
    const told = line.endsWith('.') ? line.slice(0, -1) : line;
    const name = unicodeName(line);
    let isFolded = false;
    if (this.#walk.isBeyondAscii) {
      const length = this.#fold(name);
      this.#walk.walk(this.#skeleton, 0, length, skeletonCodes);
      isFolded = true;
    }
    if (this.#walk.candidates.length === 0) return;
    const places = isFolded ? { starts: this.#starts, ends: this.#ends } : undefined;
    const view = new NameView(name, isAscii(told) ? told.toLowerCase() : undefined);
    const matches = judge(this.#terms, view, this.#walk.candidates, places);
    if (matches.length === 0) return;
    onHit(told, this.#listedMatches(matches));
  }

  /** For each place in the list of terms, in its order. */
  #listedMatches(matches: readonly LookalikeMatch[]): readonly LookalikeMatch[] {
    const listed: LookalikeMatch[] = [];
    for (const match of matches) {
      for (const term of this.#listed[match.term] as readonly number[]) {
        listed.push(term === match.term ? match : { ...match, term });
      }
    }
    return listed.length < 2 ? listed : listed.sort((left, right) => left.term - right.term);
  }

  /** Fills the skeleton of a name, and from which characters its bytes come. Gives its length. */
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
