/**
 * JSON that is written as bytes, one value after another, into memory that is used again for the next: most texts are short and plain, and
 * then copying their characters takes less time than joining strings and encoding the result.
 */

const [quote, backslash, firstPlain, lastPlain, zero] = [0x22, 0x5c, 0x20, 0x7e, 0x30];
const usualBytes = 2 ** 16;
/** More is given back after a value that needed it. */
const keptBytesMax = 2 ** 20;
/** Shorter ones are copied in a loop: calling the engine takes longer. */
const loopMax = 64;
/** Of a UTF-16 code unit in UTF-8. */
const unitBytesMax = 3;

/** JSON, or a part of it, to be written many times. */
export function encoded(json: string): Uint8Array {
  return Uint8Array.from(Buffer.from(json));
}

const [yes, no, none] = [encoded('true'), encoded('false'), encoded('null')];

export class JsonBytes {
  #bytes = Buffer.allocUnsafeSlow(usualBytes);
  /** How many are written. */
  length = 0;

  /** Forgets what an error has left unfinished. */
  begin(): void {
    this.length = 0;
  }

  /** What is written, in memory of its own. The next value begins at 0. */
  finish(): Buffer {
    const taken = Buffer.allocUnsafeSlow(this.length);
    this.#bytes.copy(taken, 0, 0, this.length);
    this.length = 0;
    if (this.#bytes.length > keptBytesMax) this.#bytes = Buffer.allocUnsafeSlow(usualBytes);
    return taken;
  }

  /** From its byte `from` on. */
  part(part: Uint8Array, from = 0): void {
    const { length } = part;
    const bytes = this.#reserve(length);
    let end = this.length;
    for (let at = from; at < length; at += 1, end += 1) bytes[end] = part[at] as number;
    this.length = end;
  }

  value(value: unknown): void {
    if (typeof value === 'string') this.text(value);
    else if (typeof value === 'number' && Number.isInteger(value) && value >= 0) this.count(value);
    else if (typeof value === 'boolean') this.part(value ? yes : no);
    else if (value === null) this.part(none);
    else this.#json(JSON.stringify(value));
  }

  text(text: string): void {
    const { length } = text;
    if (length > loopMax) return this.#json(JSON.stringify(text));
    const bytes = this.#reserve(length + 2);
    let end = this.length;
    bytes[end] = quote;
    end += 1;
    for (let at = 0; at < length; at += 1, end += 1) {
      const code = text.charCodeAt(at);
      if (code < firstPlain || code > lastPlain || code === quote || code === backslash)
        return this.#json(JSON.stringify(text));
      bytes[end] = code;
    }
    bytes[end] = quote;
    this.length = end + 1;
  }

  /** A whole number from 0 on. */
  count(value: number): void {
    if (value > 0xffff_ffff) return this.#json(JSON.stringify(value));
    const digits = digitsOf(value);
    writeDigits(this.#reserve(digits), this.length, value, digits);
    this.length += digits;
  }

  #json(json: string): void {
    const bytes = this.#reserve(json.length * unitBytesMax);
    this.length += bytes.write(json, this.length);
  }

  #reserve(count: number): Buffer {
    const needed = this.length + count;
    if (needed <= this.#bytes.length) return this.#bytes;
    const longer = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(longer, 0, 0, this.length);
    this.#bytes = longer;
    return longer;
  }
}

export function digitsOf(value: number): number {
  let digits = 1;
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits += 1;
  return digits;
}

export function writeDigits(bytes: Uint8Array, start: number, value: number, digits: number): void {
  for (let [at, rest] = [start + digits - 1, value]; at >= start; at -= 1) {
    bytes[at] = zero + (rest % 10);
    rest = Math.floor(rest / 10);
  }
}
