/**
 * The trigram index of flexible search: an inverted index from each trigram to the leaves of the distinct table whose texts
 * contain it. A search intersects and unites the posting lists of its prefilter, and reads only the leaves that remain
 * (Cox 2012, Regular Expression Matching with a Trigram Index, https://swtch.com/~rsc/regexp/regexp4.html).
 *
 * Leaves are numbered in groups of 4096, so that building needs memory for one group only, and a set of leaves is a bitmap of
 * 512 bytes. A key is a group (u32) and a trigram (u24), big-endian. A value is a posting list: numbers of leaves in the
 * group, delta-encoded as varints. Under a reserved trigram each group also lists the offsets of its leaves, and under a
 * reserved group the last entry lists the offset at which each group starts.
 */
import type { Prefilter } from '../../../model/flex/flex-pattern.ts';
import { readVarint, varintEnd, writeVarint } from '../../varint.ts';
import { sharedPrefix } from './byte-order.ts';
import { TableCursor, type TableReader } from './table-reader.ts';
import type { TableWriter } from './table-writer.ts';

const groupLeaves = 4096;
const trigramCount = 1 << 18;
/** Of a small table; more double it. */
const pairsUsually = 1 << 14;
const offsetsTrigram = 0xff_ffff;
const allGroups = 0xffff_ffff;
const keyBytes = 7;

/** Six bits for a character: letters (ignoring case), digits and the most common punctuation have codes of their own, others share. */
const characterCodes = Uint8Array.from({ length: 128 }, (_, code) => {
  const text = String.fromCharCode(code).toLowerCase();
  const known = 'abcdefghijklmnopqrstuvwxyz0123456789-._\\ "'.indexOf(text);
  return known >= 0 ? known : 42 + (code % 22);
});

const dotCode = characterCodes[46] as number;

/** Bytes of labels whose presentation form is the byte itself: letters, digits, hyphen and underscore. */
const plainBytes = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[a-z0-9_-]/i.test(String.fromCharCode(byte)) ? 1 : 0,
);

function codeAt(text: string, at: number): number {
  return characterCodes[text.charCodeAt(at) & 0x7f] as number;
}

/** What a writer needs for every trigram: three megabytes, most of what a small table takes. */
class Counters {
  /** The leaf in which each was last seen, to add it once per leaf. */
  readonly seenIn = new Int32Array(trigramCount);
  /** Where its postings begin in the current group, and after the last one where they end. */
  readonly starts = new Uint32Array(trigramCount + 1);
  /** Where its next posting is put. */
  readonly next = new Uint32Array(trigramCount);
}

/** Those of the last writer that finished, for the next: a thread writes many small tables, one after another. */
let spareCounters: Counters | undefined;

function takeCounters(): Counters {
  const counters = spareCounters ?? new Counters();
  spareCounters = undefined;
  counters.seenIn.fill(-1);
  return counters;
}

export class TrigramWriter {
  readonly #table: TableWriter;
  /** Postings of the current group: trigram and leaf packed into one number. */
  #pairs = new Uint32Array(pairsUsually);
  #pairCount = 0;
  readonly #counters = takeCounters();
  readonly #seenIn = this.#counters.seenIn;
  #leaf = 0;
  #group = 0;
  #offsets: number[] = [];
  readonly #groupStarts: number[] = [];
  readonly #key = new Uint8Array(keyBytes);
  #keyBefore = new Uint8Array(0);
  #value = new Uint8Array(groupLeaves * 8);

  constructor(table: TableWriter) {
    this.#table = table;
  }

  add(text: string): void {
    if (text.length < 3) return;
    let trigram = (codeAt(text, 0) << 6) | codeAt(text, 1);
    for (let at = 2; at < text.length; at += 1) {
      trigram = ((trigram << 6) | codeAt(text, at)) & (trigramCount - 1);
      this.#addPosting(trigram);
    }
  }

  /** The same for a name in wire form, without formatting it; false where its text has escapes, so that `add` must be used. */
  addName(bytes: Uint8Array, at: number): boolean {
    let trigram = 0;
    let characters = 0;
    for (let position = at; bytes[position] !== 0; ) {
      const end = position + 1 + (bytes[position] as number);
      for (position += 1; position < end; position += 1) {
        const byte = bytes[position] as number;
        if (plainBytes[byte] === 0) return false;
        trigram = ((trigram << 6) | (characterCodes[byte] as number)) & (trigramCount - 1);
        characters += 1;
        if (characters > 2) this.#addPosting(trigram);
      }
      trigram = ((trigram << 6) | dotCode) & (trigramCount - 1);
      characters += 1;
      if (characters > 2) this.#addPosting(trigram);
    }
    return true;
  }

  #addPosting(trigram: number): void {
    if (this.#seenIn[trigram] === this.#leaf) return;
    this.#seenIn[trigram] = this.#leaf;
    if (this.#pairCount === this.#pairs.length) {
      const larger = new Uint32Array(this.#pairs.length * 2);
      larger.set(this.#pairs);
      this.#pairs = larger;
    }
    this.#pairs[this.#pairCount++] = trigram * groupLeaves + (this.#leaf % groupLeaves);
  }

  /** Assigns the texts added since the last call to the leaf at this offset. */
  closeLeaf(offset: number): void {
    this.#offsets.push(offset);
    this.#leaf += 1;
    if (this.#offsets.length === groupLeaves) this.#closeGroup();
  }

  finish(): void {
    if (this.#offsets.length > 0) this.#closeGroup();
    this.#write(allGroups, offsetsTrigram, this.#groupStarts);
    spareCounters = this.#counters;
  }

  #closeGroup(): void {
    const { starts, next } = this.#counters;
    starts.fill(0);
    for (let index = 0; index < this.#pairCount; index += 1) {
      const trigram = (this.#pairs[index] as number) >>> 12;
      starts[trigram + 1] = (starts[trigram + 1] as number) + 1;
    }
    for (let trigram = 0; trigram < trigramCount; trigram += 1) {
      starts[trigram + 1] = (starts[trigram + 1] as number) + (starts[trigram] as number);
    }
    const leaves = new Uint16Array(this.#pairCount);
    next.set(starts.subarray(0, trigramCount));
    for (let index = 0; index < this.#pairCount; index += 1) {
      const pair = this.#pairs[index] as number;
      const trigram = pair >>> 12;
      leaves[next[trigram] as number] = pair & (groupLeaves - 1);
      next[trigram] = (next[trigram] as number) + 1;
    }
    for (let trigram = 0; trigram < trigramCount; trigram += 1) {
      const from = starts[trigram] as number;
      const to = starts[trigram + 1] as number;
      if (to > from) this.#write(this.#group, trigram, leaves.subarray(from, to));
    }
    this.#write(this.#group, offsetsTrigram, this.#offsets);
    this.#groupStarts.push(this.#offsets[0] as number);
    this.#offsets = [];
    this.#pairCount = 0;
    this.#group += 1;
  }

  #write(group: number, trigram: number, rising: ArrayLike<number>): void {
    writeKey(this.#key, group, trigram);
    if (this.#value.length < rising.length * 8) this.#value = new Uint8Array(rising.length * 8);
    let end = 0;
    let before = 0;
    for (let index = 0; index < rising.length; index += 1) {
      end = writeVarint(this.#value, end, (rising[index] as number) - before);
      before = rising[index] as number;
    }
    const shared = sharedPrefix(this.#keyBefore, this.#keyBefore.length, this.#key, keyBytes);
    this.#table.add(shared, this.#key, 0, keyBytes, this.#value, 0, end, 0, 0);
    this.#keyBefore = this.#key.slice();
  }
}

function writeKey(into: Uint8Array, group: number, trigram: number): void {
  const view = new DataView(into.buffer);
  view.setUint32(0, group);
  view.setUint16(4, trigram >>> 8);
  view.setUint8(6, trigram & 0xff);
}

/** Finds the leaves of one segment that can satisfy a prefilter. */
export class TrigramReader {
  readonly #cursor: TableCursor;
  readonly #prefilter: Prefilter;
  readonly #groupStarts: readonly number[];
  #group = -1;
  #offsets: readonly number[] = [];
  #wanted = new Uint32Array(groupLeaves / 32);

  constructor(table: TableReader, prefilter: Prefilter) {
    this.#cursor = new TableCursor(table);
    this.#prefilter = prefilter;
    this.#groupStarts = this.#read(allGroups, offsetsTrigram);
  }

  /**
   * The first leaf at or after this offset that may hold a match. Where a group has none, the first leaf of the next group is
   * given anyway, so that one step of a search examines one group.
   */
  wantedFrom(offset: number): number | undefined {
    const group = this.#groupOf(offset);
    this.#enter(group);
    for (let leaf = firstAtOrAfter(this.#offsets, offset); leaf < this.#offsets.length; leaf += 1) {
      if (((this.#wanted[leaf >>> 5] as number) >>> (leaf & 31)) & 1) return this.#offsets[leaf];
    }
    return this.#groupStarts[group + 1];
  }

  #groupOf(offset: number): number {
    let group = Math.max(this.#group, 0);
    if ((this.#groupStarts[group] ?? 0) > offset) group = 0;
    while ((this.#groupStarts[group + 1] ?? Number.POSITIVE_INFINITY) <= offset) group += 1;
    return group;
  }

  #enter(group: number): void {
    if (this.#group === group) return;
    this.#group = group;
    this.#offsets = this.#read(group, offsetsTrigram);
    this.#wanted = this.#leavesWith(this.#prefilter);
  }

  #leavesWith(prefilter: Prefilter): Uint32Array<ArrayBuffer> {
    const set = new Uint32Array(groupLeaves / 32);
    if (prefilter.kind === 'or') {
      for (const one of prefilter.of) {
        const leaves = this.#leavesWith(one);
        for (let word = 0; word < set.length; word += 1)
          set[word] = (set[word] as number) | (leaves[word] as number);
      }
      return set;
    }
    set.fill(0xffff_ffff);
    const operands =
      prefilter.kind === 'literal'
        ? trigramsOf(prefilter.text).map((trigram) => this.#leavesWithTrigram(trigram))
        : prefilter.kind === 'and'
          ? prefilter.of.map((one) => this.#leavesWith(one))
          : [];
    for (const leaves of operands) {
      for (let word = 0; word < set.length; word += 1)
        set[word] = (set[word] as number) & (leaves[word] as number);
    }
    return set;
  }

  #leavesWithTrigram(trigram: number): Uint32Array {
    const set = new Uint32Array(groupLeaves / 32);
    for (const leaf of this.#read(this.#group, trigram)) {
      if (leaf >= groupLeaves) this.#cursor.fail('a posting list names a leaf outside its group');
      set[leaf >>> 5] = (set[leaf >>> 5] as number) | (1 << (leaf & 31));
    }
    return set;
  }

  #read(group: number, trigram: number): number[] {
    const key = new Uint8Array(keyBytes);
    writeKey(key, group, trigram);
    const cursor = this.#cursor;
    const rising: number[] = [];
    if (!cursor.seekKey(key, keyBytes) || cursor.keyLength !== keyBytes) return rising;
    for (let at = 0; at < keyBytes; at += 1) if (cursor.key[at] !== key[at]) return rising;
    let value = 0;
    let at = cursor.valueStart;
    for (; at < cursor.valueEnd; at = varintEnd(cursor.bytes, at)) {
      value += readVarint(cursor.bytes, at);
      rising.push(value);
    }
    if (at !== cursor.valueEnd) cursor.fail('a posting list does not end with its entry');
    return rising;
  }
}

/** Binary search for the index of the first number that is not below `least`. */
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
