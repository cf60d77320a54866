/**
 * The key of a value in the inverted index, 64 bits: HalfSipHash-2-4 (https://github.com/veorq/SipHash) of the folded value, keyed
 * with a salt of the database, with a code of the attribute XORed into the lower half. So the same text of different attributes has
 * neighbouring keys, and a name that occurs four times in a record is counted from one page. Among a hundred million values the
 * probability of any collision is about 1 in 3000, and without the salt none can be constructed. Older databases have keys that hash
 * the attribute too (`key_form` 1), and keep them.
 */
import type { Attribute } from '../../model/record/condition.ts';
import { fold } from '../../model/record/fold.ts';

export type ValueKey = bigint;

/** Folded, without unpaired surrogates and NUL, which the text functions of databases do not handle. */
export function foldedText(text: string): string {
  return fold(text).toWellFormed().replaceAll('\0', '\uFFFD');
}

type Salt = readonly [number, number];

export class ValueKeys {
  readonly #salt: Salt;
  readonly #isClustered: boolean;
  /** Values and their hashes: the contacts of a record are mostly the same, and name servers and registrars have many domains each. */
  readonly #recent: (string | undefined)[] = new Array<string | undefined>(recentMax).fill(undefined);
  readonly #recentHalves = new Int32Array(recentMax * 2);

  /** Of eight random bytes. */
  constructor(salt: Buffer, form: 1 | 2 = 2) {
    this.#salt = [salt.readInt32LE(0), salt.readInt32LE(4)];
    this.#isClustered = form === 2;
  }

  keyOf(attribute: Attribute, value: string): ValueKey {
    if (!this.#isClustered) return hash(this.#salt, attribute, foldedText(value));
    const code = codeOf(attribute);
    const slot = slotOf(value);
    if (this.#recent[slot] === value) {
      halves[0] = this.#recentHalves[slot * 2] as number;
      halves[1] = this.#recentHalves[slot * 2 + 1] as number;
    } else {
      if (!hashPlain(this.#salt, value)) hash(this.#salt, '', foldedText(value));
      if (value.length <= recentLengthMax) {
        this.#recent[slot] = value;
        this.#recentHalves[slot * 2] = halves[0] as number;
        this.#recentHalves[slot * 2 + 1] = halves[1] as number;
      }
    }
    halves[0] = (halves[0] as number) ^ code;
    return whole[0] as bigint;
  }
}

/** A power of two. */
const recentMax = 1024;
const recentLengthMax = 64;

/** Where a value is among the recent ones, by four of its characters: hashing all of them is what this saves. */
function slotOf(value: string): number {
  const { length } = value;
  if (length === 0) return 0;
  const middle = length >>> 1;
  const mixed =
    Math.imul(value.charCodeAt(0), 0x9e37_79b1) ^
    Math.imul(value.charCodeAt(middle), 0x85eb_ca6b) ^
    Math.imul(value.charCodeAt(length - 1), 0xc2b2_ae35) ^
    Math.imul((value.charCodeAt(middle >>> 1) << 8) ^ length, 0x27d4_eb2f);
  return (mixed ^ (mixed >>> 15)) & (recentMax - 1);
}

/** More than there are attributes. */
const codesMax = 1000;
const codes = new Map<Attribute, number>();

/** Independent of the salt, so that a test can check that no two attributes collide. */
function codeOf(attribute: Attribute): number {
  const known = codes.get(attribute);
  if (known !== undefined) return known;
  hash([0, 0], '', attribute);
  const code = halves[0] as number;
  if (codes.size < codesMax) codes.set(attribute, code);
  return code;
}

/** The lower half first. */
const halves = new Int32Array(2);
const whole = new BigInt64Array(halves.buffer);

/** The state of SipHash, in module variables for speed. */
let [v0, v1, v2, v3] = [0, 0, 0, 0];

const space = 0x20;

function hash(salt: Salt, attribute: string, value: string): bigint {
  begin(salt);
  absorb(attribute);
  absorb(value);
  return finish();
}

function begin(salt: Salt): void {
  v0 = salt[0];
  v1 = salt[1] ^ 0xee;
  v2 = 0x6c79_6765 ^ salt[0];
  v3 = 0x7465_6462 ^ salt[1];
}

function finish(): bigint {
  v2 ^= 0xee;
  rounds(4);
  halves[0] = v1 ^ v3;
  v1 ^= 0xdd;
  rounds(4);
  halves[1] = v1 ^ v3;
  return whole[0] as bigint;
}

/**
 * The same without an attribute, for a text that folding changes in the case of its letters alone: printable ASCII without two spaces in a row, or at
 * either end. False for any other. Nearly all texts are such, and lose no time to copies here.
 */
function hashPlain(salt: Salt, value: string): boolean {
  begin(salt);
  word(0);
  const { length } = value;
  let bits = 0;
  let previous = space;
  for (let at = 0; at < length; at += 1) {
    const code = value.charCodeAt(at);
    if (code > 0x7e || code < space || (code === space && previous === space)) return false;
    previous = code;
    const lower = code >= 0x41 && code <= 0x5a ? code | 0x20 : code;
    if ((at & 1) === 0) bits = lower;
    else word(bits | (lower << 16));
  }
  if (previous === space) return false;
  if ((length & 1) === 1) word(bits);
  word(length);
  finish();
  return true;
}

/** Two code units per word, followed by the length, which separates attribute and value. */
function absorb(text: string): void {
  const { length } = text;
  for (let at = 0; at < length; at += 2) {
    const second = at + 1 < length ? text.charCodeAt(at + 1) : 0;
    word(text.charCodeAt(at) | (second << 16));
  }
  word(length);
}

function word(bits: number): void {
  v3 ^= bits;
  rounds(2);
  v0 ^= bits;
}

function rounds(count: number): void {
  let [a, b, c, d] = [v0, v1, v2, v3];
  for (let round = 0; round < count; round += 1) {
    a = (a + b) | 0;
    b = ((b << 5) | (b >>> 27)) ^ a;
    a = (a << 16) | (a >>> 16);
    c = (c + d) | 0;
    d = ((d << 8) | (d >>> 24)) ^ c;
    a = (a + d) | 0;
    d = ((d << 7) | (d >>> 25)) ^ a;
    c = (c + b) | 0;
    b = ((b << 13) | (b >>> 19)) ^ c;
    c = (c << 16) | (c >>> 16);
  }
  v0 = a;
  v1 = b;
  v2 = c;
  v3 = d;
}
