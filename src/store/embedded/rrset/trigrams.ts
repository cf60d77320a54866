/**
 * The index of flexible search: for every trigram the leaves of the distinct part in whose texts it occurs. Leaves are
 * numbered in segments of 4096, so that building needs memory for one segment only and a set of leaves is a small bitmap.
 *
 * Keys are a segment and a trigram (four bytes, three bytes). A value is the leaves of the segment as varint differences. Beside the
 * trigrams each segment lists where its leaves are, and the last entry where each segment begins.
 */
import type { TextNeeds } from '../../../model/flex-pattern.ts';
import { PartCursor, type PartReader } from './part-reader.ts';
import type { PartWriter } from './part-writer.ts';
import { readVarint, varintEnd, writeVarint } from './varint.ts';

const segmentLeaves = 4096;
const trigramCount = 1 << 18;
const placesTrigram = 0xff_ffff;
const allSegments = 0xffff_ffff;
const keyBytes = 7;

/** Six bits for a character: letters in any case, digits and the commonest marks are told apart, others share. */
const characterCodes = Uint8Array.from({ length: 128 }, (_, code) => {
  const text = String.fromCharCode(code).toLowerCase();
  const known = 'abcdefghijklmnopqrstuvwxyz0123456789-._\\ "'.indexOf(text);
  return known >= 0 ? known : 42 + (code % 22);
});

const dotCode = characterCodes[46] as number;

/** Bytes of labels that are written as they are: letters, digits, hyphen and underscore. */
const plainBytes = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[a-z0-9_-]/i.test(String.fromCharCode(byte)) ? 1 : 0,
);

function codeAt(text: string, at: number): number {
  return characterCodes[text.charCodeAt(at) & 0x7f] as number;
}

export class TrigramWriter {
  readonly #part: PartWriter;
  /** Trigram and leaf in one number each. */
  #pairs = new Uint32Array(1 << 20);
  #pairCount = 0;
  /** The number of the leaf in which a trigram was seen last. */
  readonly #seenIn = new Int32Array(trigramCount).fill(-1);
  #leaf = 0;
  #segment = 0;
  #places: number[] = [];
  readonly #segmentStarts: number[] = [];
  readonly #key = new Uint8Array(keyBytes);
  #value = new Uint8Array(segmentLeaves * 8);

  constructor(part: PartWriter) {
    this.#part = part;
  }

  add(text: string): void {
    if (text.length < 3) return;
    let trigram = (codeAt(text, 0) << 6) | codeAt(text, 1);
    for (let at = 2; at < text.length; at += 1) {
      trigram = ((trigram << 6) | codeAt(text, at)) & (trigramCount - 1);
      this.#note(trigram);
    }
  }

  /** The same for a name in wire form, without making a text of it; false where its text has escapes, and is needed. */
  addName(bytes: Uint8Array, at: number): boolean {
    let trigram = 0;
    let characters = 0;
    for (let place = at; bytes[place] !== 0; ) {
      const end = place + 1 + (bytes[place] as number);
      for (place += 1; place < end; place += 1) {
        const byte = bytes[place] as number;
        if (plainBytes[byte] === 0) return false;
        trigram = ((trigram << 6) | (characterCodes[byte] as number)) & (trigramCount - 1);
        characters += 1;
        if (characters > 2) this.#note(trigram);
      }
      trigram = ((trigram << 6) | dotCode) & (trigramCount - 1);
      characters += 1;
      if (characters > 2) this.#note(trigram);
    }
    return true;
  }

  #note(trigram: number): void {
    if (this.#seenIn[trigram] === this.#leaf) return;
    this.#seenIn[trigram] = this.#leaf;
    if (this.#pairCount === this.#pairs.length) {
      const larger = new Uint32Array(this.#pairs.length * 2);
      larger.set(this.#pairs);
      this.#pairs = larger;
    }
    this.#pairs[this.#pairCount++] = trigram * segmentLeaves + (this.#leaf % segmentLeaves);
  }

  /** What was added since the last leaf is in the leaf at this place. */
  closeLeaf(offset: number): void {
    this.#places.push(offset);
    this.#leaf += 1;
    if (this.#places.length === segmentLeaves) this.#closeSegment();
  }

  finish(): void {
    if (this.#places.length > 0) this.#closeSegment();
    this.#write(allSegments, placesTrigram, this.#segmentStarts);
  }

  #closeSegment(): void {
    const starts = new Uint32Array(trigramCount + 1);
    for (let index = 0; index < this.#pairCount; index += 1) {
      const trigram = (this.#pairs[index] as number) >>> 12;
      starts[trigram + 1] = (starts[trigram + 1] as number) + 1;
    }
    for (let trigram = 0; trigram < trigramCount; trigram += 1) {
      starts[trigram + 1] = (starts[trigram + 1] as number) + (starts[trigram] as number);
    }
    const leaves = new Uint16Array(this.#pairCount);
    const ends = starts.slice(0, trigramCount);
    for (let index = 0; index < this.#pairCount; index += 1) {
      const pair = this.#pairs[index] as number;
      const trigram = pair >>> 12;
      leaves[ends[trigram] as number] = pair & (segmentLeaves - 1);
      ends[trigram] = (ends[trigram] as number) + 1;
    }
    for (let trigram = 0; trigram < trigramCount; trigram += 1) {
      const from = starts[trigram] as number;
      const to = starts[trigram + 1] as number;
      if (to > from) this.#write(this.#segment, trigram, leaves.subarray(from, to));
    }
    this.#write(this.#segment, placesTrigram, this.#places);
    this.#segmentStarts.push(this.#places[0] as number);
    this.#places = [];
    this.#pairCount = 0;
    this.#segment += 1;
  }

  #write(segment: number, trigram: number, rising: ArrayLike<number>): void {
    writeKey(this.#key, segment, trigram);
    if (this.#value.length < rising.length * 8) this.#value = new Uint8Array(rising.length * 8);
    let end = 0;
    let before = 0;
    for (let index = 0; index < rising.length; index += 1) {
      end = writeVarint(this.#value, end, (rising[index] as number) - before);
      before = rising[index] as number;
    }
    this.#part.add(this.#key, 0, keyBytes, this.#value, 0, end, 0, 0);
  }
}

function writeKey(into: Uint8Array, segment: number, trigram: number): void {
  const view = new DataView(into.buffer);
  view.setUint32(0, segment);
  view.setUint16(4, trigram >>> 8);
  view.setUint8(6, trigram & 0xff);
}

/** Which leaves of one run can hold a text that is needed. */
export class TrigramReader {
  readonly #cursor: PartCursor;
  readonly #needs: TextNeeds;
  readonly #segmentStarts: readonly number[];
  #segment = -1;
  #places: readonly number[] = [];
  #wanted = new Uint32Array(segmentLeaves / 32);

  constructor(part: PartReader, needs: TextNeeds) {
    this.#cursor = new PartCursor(part);
    this.#needs = needs;
    this.#segmentStarts = this.#read(allSegments, placesTrigram);
  }

  /**
   * The first leaf at or after this place that may hold a match. Where a segment has none, the first of the next one is given
   * all the same, so that a search looks at one segment at a time.
   */
  wantedFrom(offset: number): number | undefined {
    const segment = this.#segmentOf(offset);
    this.#enter(segment);
    for (let leaf = firstAtOrAfter(this.#places, offset); leaf < this.#places.length; leaf += 1) {
      if (((this.#wanted[leaf >>> 5] as number) >>> (leaf & 31)) & 1) return this.#places[leaf];
    }
    return this.#segmentStarts[segment + 1];
  }

  #segmentOf(offset: number): number {
    let segment = Math.max(this.#segment, 0);
    if ((this.#segmentStarts[segment] ?? 0) > offset) segment = 0;
    while ((this.#segmentStarts[segment + 1] ?? Number.POSITIVE_INFINITY) <= offset) segment += 1;
    return segment;
  }

  #enter(segment: number): void {
    if (this.#segment === segment) return;
    this.#segment = segment;
    this.#places = this.#read(segment, placesTrigram);
    this.#wanted = this.#leavesWith(this.#needs);
  }

  #leavesWith(needs: TextNeeds): Uint32Array<ArrayBuffer> {
    const set = new Uint32Array(segmentLeaves / 32);
    if (needs.kind === 'one') {
      for (const one of needs.of) {
        const leaves = this.#leavesWith(one);
        for (let word = 0; word < set.length; word += 1)
          set[word] = (set[word] as number) | (leaves[word] as number);
      }
      return set;
    }
    set.fill(0xffff_ffff);
    const parts =
      needs.kind === 'literal'
        ? trigramsOf(needs.text).map((trigram) => this.#leavesWithTrigram(trigram))
        : needs.kind === 'all'
          ? needs.of.map((one) => this.#leavesWith(one))
          : [];
    for (const leaves of parts) {
      for (let word = 0; word < set.length; word += 1)
        set[word] = (set[word] as number) & (leaves[word] as number);
    }
    return set;
  }

  #leavesWithTrigram(trigram: number): Uint32Array {
    const set = new Uint32Array(segmentLeaves / 32);
    for (const leaf of this.#read(this.#segment, trigram)) {
      set[leaf >>> 5] = (set[leaf >>> 5] as number) | (1 << (leaf & 31));
    }
    return set;
  }

  #read(segment: number, trigram: number): number[] {
    const key = new Uint8Array(keyBytes);
    writeKey(key, segment, trigram);
    const cursor = this.#cursor;
    const rising: number[] = [];
    if (!cursor.seekKey(key, keyBytes) || cursor.keyLength !== keyBytes) return rising;
    for (let at = 0; at < keyBytes; at += 1) if (cursor.key[at] !== key[at]) return rising;
    let value = 0;
    for (let at = cursor.valueStart; at < cursor.valueEnd; at = varintEnd(cursor.bytes, at)) {
      value += readVarint(cursor.bytes, at);
      rising.push(value);
    }
    return rising;
  }
}

/** The index of the first number that is not below `least`. */
function firstAtOrAfter(rising: readonly number[], least: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rising[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

function trigramsOf(text: string): number[] {
  const found = new Set<number>();
  for (let at = 0; at + 2 < text.length; at += 1) {
    found.add((codeAt(text, at) << 12) | (codeAt(text, at + 1) << 6) | codeAt(text, at + 2));
  }
  return [...found];
}
