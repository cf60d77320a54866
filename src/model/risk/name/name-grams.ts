/**
 * Feature hashing (https://en.wikipedia.org/wiki/Feature_hashing, Weinberger et al. 2009): a name becomes a bag of hashed features,
 * namely character n-grams, form, words, the whole label, and letters combined with the suffix. A model has one weight a bucket.
 * The hashes define the meaning of model files: a change here requires a new version in `name-model-file.ts`.
 */
import { labelCharactersMax, type NameParts } from './name-parts.ts';

/** The groups are consecutive in `buckets`. `joined` combines n-grams with the suffix; nothing describes the suffix alone. */
export const gramGroups = ['short', 'long', 'form', 'words', 'whole', 'joined'] as const;

const characterRun = { min: 2, short: 4, max: 6 };
const joinedRun = 3;
const [labelStart, labelEnd, hyphen] = [0x5e, 0x24, 0x2d];
const [digitKind, vowelKind, consonantKind] = [0x39, 0x76, 0x63];

const kinds = Uint8Array.from({ length: 256 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[0-9]/.test(character)) return digitKind;
  if (/[aeiouy]/.test(character)) return vowelKind;
  return /[a-z]/.test(character) ? consonantKind : code;
});

const prime = 0x01000193;
const wholeSeed = 0x3c5d;

/** The finalizer of MurmurHash3, shortened. */
function finalized(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return (once ^ (once >>> 13)) >>> 0;
}

/** FNV-1a. */
function hashOf(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), prime);
  return finalized(hash);
}

/** The whole-label hash of each beginning of a label, from the shortest on. */
export function* prefixHashes(label: string): Generator<number> {
  let hash = wholeSeed;
  for (let at = 0; at < label.length; at += 1) {
    hash = Math.imul(hash ^ (label.charCodeAt(at) & 0xff), prime);
    yield finalized(hash);
  }
}

/** Reads one name at a time into the same arrays, because training reads millions of names. */
export class NameGrams {
  /** 32-bit hashes; a weight table uses the low bits. */
  readonly buckets = new Uint32Array(labelCharactersMax * 12 + 64);
  /** The end of each group in `buckets`. */
  readonly ends = new Int32Array(gramGroups.length);
  /** The start and the length of each n-gram of the groups `short` and `long`. */
  readonly starts = new Uint8Array(this.buckets.length);
  readonly lengths = new Uint8Array(this.buckets.length);
  /** The number of words between hyphens and digits. */
  wordCount = 0;
  wholeHash = 0;
  /** The label has no hyphen. */
  isSingleWord = false;
  readonly #codes = new Uint8Array(labelCharactersMax + 2);
  #length = 0;
  #count = 0;
  #suffixHashes = new Map<string, number>();

  read({ label, suffix }: Pick<NameParts, 'label' | 'suffix'>): void {
    const codes = this.#codes;
    const characters = Math.min(label.length, labelCharactersMax);
    codes[0] = labelStart;
    for (let at = 0; at < characters; at += 1) codes[at + 1] = label.charCodeAt(at);
    codes[characters + 1] = labelEnd;
    this.#length = characters + 2;
    this.#count = 0;
    this.#addNgrams(characterRun.min, characterRun.short);
    this.ends[0] = this.#count;
    this.#addNgrams(characterRun.short + 1, characterRun.max);
    this.ends[1] = this.#count;
    this.#addForm();
    this.ends[2] = this.#count;
    this.#addWords();
    this.ends[3] = this.#count;
    this.#addWhole();
    this.ends[4] = this.#count;
    this.#addJoined(this.#suffixHash(suffix));
    this.ends[5] = this.#count;
  }

  #addNgrams(min: number, max: number): void {
    const [codes, length, buckets, starts, lengths] = [
      this.#codes,
      this.#length,
      this.buckets,
      this.starts,
      this.lengths,
    ];
    let count = this.#count;
    for (let start = 0; start + min <= length; start += 1) {
      let hash = 0x9e3779b1;
      const end = Math.min(length, start + max);
      for (let at = start; at < end; at += 1) {
        hash = Math.imul(hash ^ (codes[at] as number), prime);
        const run = at - start + 1;
        if (run < min) continue;
        starts[count] = start;
        lengths[count] = run;
        buckets[count++] = finalized(hash ^ (run * 0x51ed27));
      }
    }
    this.#count = count;
  }

  /** Run lengths of letters, digits and hyphens, and the counts of each for the length. */
  #addForm(): void {
    const codes = this.#codes;
    const last = this.#length - 1;
    let [runs, changes, before, run] = [0x2f, 0x35, 0, 0];
    let [digits, hyphens, vowels, doubled, firstDigit] = [0, 0, 0, 0, last];
    for (let at = 1; at <= last; at += 1) {
      const kind = at === last ? 0 : (kinds[codes[at] as number] as number);
      if (codes[at] === codes[at - 1]) doubled += 1;
      if (kind === digitKind && digits === 0) firstDigit = at;
      if (kind === digitKind) digits += 1;
      else if (kind === hyphen) hyphens += 1;
      else if (kind === vowelKind) vowels += 1;
      const coarse = kind === vowelKind ? consonantKind : kind;
      if (coarse !== before) {
        runs = Math.imul(Math.imul(runs ^ before, prime) ^ run, prime);
        changes = Math.imul(changes ^ coarse, prime);
        before = coarse;
        run = 0;
      }
      run += 1;
    }
    const length = Math.min(30, last - 1);
    this.#add(runs);
    this.#add(changes);
    this.#add(0x10000 + length);
    this.#add(0x20000 + Math.min(20, digits));
    this.#add(0x30000 + Math.min(6, hyphens));
    this.#add(0x40000 + vowels * 8 + Math.min(7, length >> 2));
    this.#add(0x50000 + doubled * 32 + length);
    this.#add(0x60000 + firstDigit * 32 + length);
    this.#add(0x70000 + digits * 32 + length);
    this.#add(0x80000 + hyphens * 32 + length);
  }

  /** The words between hyphens and digits, and each pair of adjacent words. */
  #addWords(): void {
    const codes = this.#codes;
    let [hash, before, letters] = [0x77, 0, 0];
    this.wordCount = 0;
    this.isSingleWord = !codes.subarray(1, this.#length - 1).includes(hyphen);
    for (let at = 1; at < this.#length; at += 1) {
      const kind = kinds[codes[at] as number] as number;
      if (kind === vowelKind || kind === consonantKind || kind >= 0x80) {
        hash = Math.imul(hash ^ (codes[at] as number), prime);
        letters += 1;
        continue;
      }
      if (letters > 0) {
        this.wordCount += 1;
        this.#add(hash);
        if (before !== 0) this.#add(Math.imul(before, 31) ^ hash);
        before = hash;
      }
      hash = 0x77;
      letters = 0;
    }
  }

  #addWhole(): void {
    const codes = this.#codes;
    let hash = wholeSeed;
    for (let at = 1; at < this.#length - 1; at += 1) hash = Math.imul(hash ^ (codes[at] as number), prime);
    this.wholeHash = finalized(hash);
    this.buckets[this.#count++] = this.wholeHash;
  }

  #addJoined(suffixHash: number): void {
    const [codes, length, buckets] = [this.#codes, this.#length, this.buckets];
    let count = this.#count;
    for (let start = 0; start + joinedRun <= length; start += 1) {
      let hash = suffixHash;
      for (let at = start; at < start + joinedRun; at += 1)
        hash = Math.imul(hash ^ (codes[at] as number), prime);
      buckets[count++] = finalized(hash ^ (joinedRun * 0x51ed27));
    }
    this.#count = count;
  }

  #add(hash: number): void {
    this.buckets[this.#count++] = finalized(hash);
  }

  #suffixHash(suffix: string): number {
    let hash = this.#suffixHashes.get(suffix);
    if (hash === undefined) {
      hash = hashOf(suffix, 7);
      if (this.#suffixHashes.size >= suffixesKnownMax) this.#suffixHashes.clear();
      this.#suffixHashes.set(suffix, hash);
    }
    return hash;
  }
}

const suffixesKnownMax = 4096;
