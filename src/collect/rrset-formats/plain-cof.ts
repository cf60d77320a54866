/**
 * Reads the COF lines that nearly all files consist of as bytes, without strings and objects: an object of the known members in any order,
 * in ASCII, with whole numbers, sensor times and one or more rdata. It accepts a line only where `cof.ts` reads the same from it. Everything
 * else, malformed lines included, is left to `cof.ts`.
 */
import { putIpv4Bytes } from '../../model/dns/ip-address.ts';
import { originNumbers, packedHeaderBytes } from '../../model/dns/packed-rrset.ts';
import { isNameOnlyType, type Mnemonic, typeOf } from '../../model/dns/rr-type.ts';
import { writePlainNameBytes } from '../../model/dns/write-name.ts';
import { RdataReader } from './rdata-reader.ts';

/** Longer lines are left to `cof.ts`, so that what is packed has a bound. */
const lineBytesMax = 16_384;
/** Rdata has at most about four times the bytes of its text (the numbers of SOA). */
const packedBytesMax = 8 * lineBytesMax;
const membersMax = 2048;
const [lf, cr, space, quote, comma, backslash] = [0x0a, 0x0d, 0x20, 0x22, 0x2c, 0x5c];
const [openBracket, closeBracket, openBrace, closeBrace, zero, nine] = [0x5b, 0x5d, 0x7b, 0x7d, 0x30, 0x39];
/** Numbers of this many digits are exact. */
const digitsMax = 15;
const secondsMax = 0xffff_ffff;

const keys = ['count', 'time_first', 'time_last', 'rrname', 'rrtype', 'bailiwick', 'rdata'].map((key) =>
  Buffer.from(`"${key}":`),
);
const [count, timeFirst, timeLast, rrname, rrtype, bailiwick, rdata] = [0, 1, 2, 3, 4, 5, 6] as const;
const numberKeys = (1 << count) | (1 << timeFirst) | (1 << timeLast);
const needed = (1 << timeFirst) | (1 << timeLast) | (1 << rrname) | (1 << rrtype) | (1 << rdata);

/** Bytes of a JSON string that stand for themselves. */
const plain = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= space && byte < 0x7f && byte !== quote && byte !== backslash ? 1 : 0,
);

const mnemonics: readonly Mnemonic[] = ['A', 'AAAA', 'NS', 'CNAME', 'MX', 'TXT', 'SOA', 'PTR', 'SRV'];
const types = mnemonics.map((mnemonic) => ({ text: Buffer.from(mnemonic), type: typeOf(mnemonic) }));
const typeA = typeOf('A');

export class PlainCofReader {
  /** The RRset that `read` has packed: the first `length` of these. */
  readonly bytes = new Uint8Array(packedBytesMax);
  length = 0;
  readonly #view = new DataView(this.bytes.buffer);
  readonly #rdataReader = new RdataReader();
  readonly #lastSecondsMax: number;
  readonly #numbers = new Float64Array(3);
  /** Where strings begin and end, by key. */
  readonly #from = new Uint32Array(keys.length);
  readonly #to = new Uint32Array(keys.length);
  /** The same for rdata, with 1 where it has escapes. */
  readonly #rdataFrom = new Uint32Array(membersMax);
  readonly #rdataTo = new Uint32Array(membersMax);
  readonly #rdataEscaped = new Uint8Array(membersMax);
  #rdataCount = 0;
  #escaped = 0;

  /** Lines that were last seen after this are left to others. */
  constructor(lastSecondsMax: number) {
    this.#lastSecondsMax = Math.min(lastSecondsMax, secondsMax);
  }

  /** The end of the line at an offset, with its line end, after packing its RRset; -1 where `cof.ts` must read it. */
  read(line: Buffer, start: number): number {
    const end = this.#scan(line, start);
    return end >= 0 && end - start <= lineBytesMax && this.#pack(line) ? end : -1;
  }

  /** Finds the members. A byte that does not belong there, such as the end of the line, ends it. */
  #scan(line: Buffer, start: number): number {
    if (line[start] !== openBrace) return -1;
    let seen = 0;
    let key = -1;
    this.#numbers[count] = 1;
    for (let at = start + 1; ; ) {
      key = findKey(line, at, key + 1);
      if (key < 0 || (seen >>> key) & 1) return -1;
      seen |= 1 << key;
      at = skipSpace(line, at + (keys[key] as Buffer).length);
      if ((numberKeys >>> key) & 1) at = this.#scanNumber(line, at, key);
      else if (key === rdata) at = this.#scanRdata(line, at);
      else {
        this.#from[key] = at + 1;
        at = this.#scanString(line, at);
        this.#to[key] = at - 1;
        if (this.#escaped === 1) return -1;
      }
      if (at < 0) return -1;
      at = skipSpace(line, at);
      const next = line[at];
      if (next === comma) at = skipSpace(line, at + 1);
      else if (next === closeBrace) {
        if ((seen & needed) !== needed) return -1;
        if ((seen >>> bailiwick) & 1) return lineEnd(line, at + 1);
        this.#from[bailiwick] = this.#to[bailiwick] = 0;
        return lineEnd(line, at + 1);
      } else return -1;
    }
  }

  #scanNumber(line: Buffer, start: number, key: number): number {
    let value = 0;
    let at = start;
    for (let byte = line[at] as number; byte >= zero && byte <= nine; byte = line[++at] as number)
      value = value * 10 + byte - zero;
    const digits = at - start;
    // JSON has no numbers with leading zeros.
    if (digits === 0 || digits > digitsMax || (digits > 1 && line[start] === zero)) return -1;
    this.#numbers[key] = value;
    return at;
  }

  /** The offset after the string at an offset, or -1. */
  #scanString(line: Buffer, start: number): number {
    if (line[start] !== quote) return -1;
    let at = start + 1;
    this.#escaped = 0;
    for (;;) {
      while (plain[line[at] as number] === 1) at += 1;
      if (line[at] === quote) return at + 1;
      // What is escaped is judged by JSON.parse.
      if (line[at] !== backslash || (line[at + 1] as number) < space) return -1;
      this.#escaped = 1;
      at += 2;
    }
  }

  #scanRdata(line: Buffer, start: number): number {
    this.#rdataCount = 0;
    if (line[start] !== openBracket) return this.#scanMember(line, start);
    for (let at = skipSpace(line, start + 1); ; at = skipSpace(line, at + 1)) {
      at = this.#scanMember(line, at);
      if (at < 0) return -1;
      at = skipSpace(line, at);
      if (line[at] === closeBracket) return at + 1;
      if (line[at] !== comma) return -1;
    }
  }

  #scanMember(line: Buffer, start: number): number {
    const member = this.#rdataCount++;
    if (member === membersMax) return -1;
    const at = this.#scanString(line, start);
    this.#rdataFrom[member] = start + 1;
    this.#rdataTo[member] = at - 1;
    this.#rdataEscaped[member] = this.#escaped;
    return at;
  }

  #pack(line: Buffer): boolean {
    const seen = this.#numbers[count] as number;
    const first = this.#numbers[timeFirst] as number;
    const last = this.#numbers[timeLast] as number;
    if (seen < 1 || first > last || last > this.#lastSecondsMax) return false;
    const type = findType(line, this.#from[rrtype] as number, this.#to[rrtype] as number);
    if (type < 0) return false;
    const view = this.#view;
    view.setUint32(0, first, true);
    view.setUint32(4, last, true);
    view.setFloat64(8, seen, true);
    view.setUint8(16, originNumbers.sensor);
    view.setUint16(17, type, true);
    let at = this.#putName(line, rrname, packedHeaderBytes - 1);
    if (at < 0) return false;
    at = this.#putBailiwick(line, at);
    if (at < 0) return false;
    view.setUint16(at, this.#rdataCount, true);
    at += 2;
    for (let member = 0; member < this.#rdataCount; member += 1) {
      at = this.#putRdata(line, member, type, at);
      if (at < 0) return false;
    }
    this.length = at;
    return true;
  }

  /** Writes a name after its length; the end, or -1. */
  #putName(line: Buffer, key: number, at: number): number {
    const end = writePlainNameBytes(
      line,
      this.#from[key] as number,
      this.#to[key] as number,
      this.bytes,
      at + 1,
    );
    if (end === undefined) return -1;
    this.bytes[at] = end - at - 1;
    return end;
  }

  #putBailiwick(line: Buffer, at: number): number {
    if (this.#from[bailiwick] !== this.#to[bailiwick]) return this.#putName(line, bailiwick, at);
    this.bytes[at] = 1;
    this.bytes[at + 1] = 0;
    return at + 2;
  }

  #putRdata(line: Buffer, member: number, type: number, at: number): number {
    const from = this.#rdataFrom[member] as number;
    const to = this.#rdataTo[member] as number;
    if (this.#rdataEscaped[member] === 0) {
      if (type === typeA && putIpv4Bytes(line, from, to, this.bytes, at + 2)) {
        this.#view.setUint16(at, 4, true);
        return at + 6;
      }
      if (isNameOnlyType(type)) {
        const end = writePlainNameBytes(line, from, to, this.bytes, at + 2);
        if (end === undefined) return -1;
        this.#view.setUint16(at, end - at - 2, true);
        return end;
      }
    }
    const text = this.#rdataText(line, member, from, to);
    const wire = text === undefined ? undefined : this.#rdataReader.read(type, text);
    if (wire === undefined || at + 2 + wire.length + lineBytesMax > packedBytesMax) return -1;
    this.#view.setUint16(at, wire.length, true);
    this.bytes.set(wire, at + 2);
    return at + 2 + wire.length;
  }

  #rdataText(line: Buffer, member: number, from: number, to: number): string | undefined {
    if (this.#rdataEscaped[member] === 0) return line.toString('latin1', from, to);
    try {
      return JSON.parse(line.toString('latin1', from - 1, to + 1)) as string;
    } catch {
      return undefined;
    }
  }
}

/** Files have their members in the same order in each line, so the next key is tried first. */
function findKey(line: Buffer, at: number, expected: number): number {
  for (let tried = 0, key = expected; tried < keys.length; tried += 1, key += 1) {
    if (key === keys.length) key = 0;
    if (hasAt(line, at, keys[key] as Buffer)) return key;
  }
  return -1;
}

function hasAt(line: Buffer, at: number, expected: Buffer): boolean {
  // The first byte is the quote, which all have.
  if (line[at + 1] !== expected[1]) return false;
  for (let index = 0; index < expected.length; index += 1)
    if (line[at + index] !== expected[index]) return false;
  return true;
}

function findType(line: Buffer, from: number, to: number): number {
  for (const { text, type } of types) {
    if (text.length !== to - from) continue;
    let index = 0;
    while (index < text.length && text[index] === line[from + index]) index += 1;
    if (index === text.length) return type;
  }
  return -1;
}

function skipSpace(line: Buffer, start: number): number {
  let at = start;
  while (line[at] === space) at += 1;
  return at;
}

/** The end of the line where nothing but its line end follows, else -1. */
function lineEnd(line: Buffer, start: number): number {
  const at = line[start] === cr ? start + 1 : start;
  if (at >= line.length) return line.length;
  return line[at] === lf ? at + 1 : -1;
}
