/**
 * The key of a value in the inverted index, 64 bits: HalfSipHash-2-4 (https://github.com/veorq/SipHash) of the folded value, keyed
 * with a salt of the database, with a code of the attribute XORed into the lower half. So the same text of different attributes has
 * neighbouring keys, and a name that occurs four times in a record is counted from one page. Among a hundred million values the
 * probability of any collision is about 1 in 3000, and without the salt none can be constructed. Older databases have keys that hash
 * the attribute too (`key_form` 1), and keep them.
 */
import type { Attribute } from '../../../model/record/condition.ts';
import { fold } from '../../../model/record/fold.ts';
import type { Database } from '../database.ts';

export type ValueKey = bigint;

/** Folded, without unpaired surrogates and NUL, which SQLite's text functions do not handle. */
export function foldedText(text: string): string {
  return fold(text).toWellFormed().replaceAll('\0', '\uFFFD');
}

/** Nearly all texts are plain, and folding changes nothing but their letter case. */
const plain = /^[!-~]+(?: [!-~]+)*$/;

type Salt = readonly [number, number];

export class ValueKeys {
  readonly #salt: Salt;
  readonly #isClustered: boolean;

  constructor(database: Database) {
    const row = database.prepare('select bytes, key_form from salt').raw().get() as [Buffer, number];
    const [bytes, form] = row;
    this.#salt = [bytes.readInt32LE(0), bytes.readInt32LE(4)];
    this.#isClustered = form === 2;
  }

  /** Not cached: hashing is faster than a lookup. */
  keyOf(attribute: Attribute, value: string): ValueKey {
    const folded = plain.test(value) ? value.toLowerCase() : foldedText(value);
    if (!this.#isClustered) return hash(this.#salt, attribute, folded);
    const code = codeOf(attribute);
    hash(this.#salt, '', folded);
    halves[0] = (halves[0] as number) ^ code;
    return whole[0] as bigint;
  }
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

function hash(salt: Salt, attribute: string, value: string): bigint {
  v0 = salt[0];
  v1 = salt[1] ^ 0xee;
  v2 = 0x6c79_6765 ^ salt[0];
  v3 = 0x7465_6462 ^ salt[1];
  absorb(attribute);
  absorb(value);
  v2 ^= 0xee;
  rounds(4);
  halves[0] = v1 ^ v3;
  v1 ^= 0xdd;
  rounds(4);
  halves[1] = v1 ^ v3;
  return whole[0] as bigint;
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
