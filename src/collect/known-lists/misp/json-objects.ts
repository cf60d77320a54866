/**
 * The objects of a JSON text that comes in pieces, each with some of its members, when it ends. Nothing else of the text is held, so
 * neither its size nor its depth matters. It is no judge of JSON: what it tells is looked at anyway, but half a text is told from a whole
 * one.
 */
import { Problem } from '../../../model/problem.ts';

type Scalar = string | number | boolean;

export interface SeenObject {
  /** The names under which it lies, from the outermost; arrays have none. */
  readonly path: readonly string[];
  readonly members: ReadonlyMap<string, Scalar>;
}

interface Level {
  readonly closing: number;
  /** The name of the member that it is, or whose array it is in. */
  readonly name: string | undefined;
  members: Map<string, Scalar> | undefined;
}

const depthMax = 64;
const textBytesMax = 8192;
const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

export class JsonObjects {
  readonly #wanted: ReadonlySet<string>;
  readonly #levels: Level[] = [];
  #seen: SeenObject[] = [];
  /** The bytes of a string or of a number that has not ended. */
  #token: Buffer[] = [];
  #tokenBytes = 0;
  #isInString = false;
  #isEscaped = false;
  #name: string | undefined;
  #value: Scalar | undefined;
  #isOver = false;

  /** Only members of these names are told. */
  constructor(wanted: readonly string[]) {
    this.#wanted = new Set(wanted);
  }

  /** The objects that end in this piece and have a wanted member. Throws a Problem for what is no JSON. */
  take(bytes: Buffer): readonly SeenObject[] {
    for (let at = 0; at < bytes.length; )
      at = this.#isInString ? this.#takeString(bytes, at) : this.#takeByte(bytes, at);
    const seen = this.#seen;
    this.#seen = [];
    return seen;
  }

  /** Throws a Problem where the text ends too early. */
  end(): void {
    if (!this.#isOver) throw notJson('it is cut off');
  }

  #takeString(bytes: Buffer, from: number): number {
    let at = from;
    for (; at < bytes.length; at += 1) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (bytes[at] === backslash) this.#isEscaped = true;
      else if (bytes[at] === quote) break;
    }
    this.#keep(bytes.subarray(from, at));
    if (at === bytes.length) return at;
    this.#isInString = false;
    this.#value = this.#closeToken((text) => (text.includes('\\') ? unescaped(text) : text));
    return at + 1;
  }

  #takeByte(bytes: Buffer, at: number): number {
    const byte = bytes[at] as number;
    const level = this.#levels.at(-1);
    if (level && isWordByte(byte)) return this.#takeWord(bytes, at);
    if (this.#tokenBytes > 0) this.#value = this.#closeToken(wordValue);
    if (isSpace(byte)) return at + 1;
    if ((byte === openObject || byte === openArray) && !this.#isOver) this.#open(byte);
    else if (!level) throw notJson('something else stands in its place');
    else if (byte === quote) this.#isInString = true;
    else if (byte === colon) this.#takeName();
    else if (byte === comma) this.#endMember();
    else if (byte === level.closing) this.#close();
    else throw notJson('something else stands in its place');
    return at + 1;
  }

  #takeWord(bytes: Buffer, from: number): number {
    let at = from + 1;
    while (at < bytes.length && isWordByte(bytes[at] as number)) at += 1;
    this.#keep(bytes.subarray(from, at));
    return at;
  }

  #takeName(): void {
    this.#name = typeof this.#value === 'string' ? this.#value : '';
    this.#value = undefined;
  }

  #endMember(): void {
    const level = this.#levels.at(-1);
    if (level?.closing === closeObject && this.#value !== undefined && this.#wanted.has(this.#name ?? '')) {
      level.members ??= new Map();
      level.members.set(this.#name ?? '', this.#value);
    }
    this.#value = undefined;
    this.#name = undefined;
  }

  #open(byte: number): void {
    if (this.#levels.length === depthMax) throw notJson(`it is more than ${depthMax} levels deep`);
    const closing = byte === openObject ? closeObject : closeArray;
    const outer = this.#levels.at(-1);
    const name = outer?.closing === closeArray ? outer.name : this.#name;
    this.#levels.push({ closing, name, members: undefined });
    this.#name = undefined;
    this.#value = undefined;
  }

  #close(): void {
    this.#endMember();
    const members = this.#levels.at(-1)?.members;
    if (members) this.#seen.push({ path: this.#path(), members });
    this.#levels.pop();
    this.#isOver = this.#levels.length === 0;
  }

  /** An object in an array has the name of the array, once. */
  #path(): readonly string[] {
    return this.#levels
      .filter(
        (level, index) =>
          index > 0 && this.#levels[index - 1]?.closing === closeObject && level.name !== undefined,
      )
      .map(({ name = '' }) => name);
  }

  #keep(bytes: Buffer): void {
    this.#tokenBytes += bytes.length;
    // What is too long is counted and not kept. The piece is not ours once it was taken, so it is copied.
    if (this.#tokenBytes <= textBytesMax) this.#token.push(Buffer.from(bytes));
    else this.#token = [];
  }

  #closeToken(valueOf: (text: string) => Scalar | undefined): Scalar | undefined {
    const text = this.#tokenBytes > textBytesMax ? undefined : Buffer.concat(this.#token).toString('utf8');
    this.#token = [];
    this.#tokenBytes = 0;
    return text === undefined ? undefined : valueOf(text);
  }
}

function notJson(why: string): Problem {
  return new Problem('unavailable', `it is not the JSON that was expected: ${why}`);
}

function unescaped(text: string): string | undefined {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return undefined;
  }
}

function wordValue(word: string): Scalar | undefined {
  if (word === 'true' || word === 'false') return word === 'true';
  return word === 'null' || word.length > 32 || Number.isNaN(Number(word)) ? undefined : Number(word);
}

/** Letters, digits, and signs of numbers. */
function isWordByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    byte === 0x2b ||
    byte === 0x2d ||
    byte === 0x2e
  );
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}
