/**
 * Reads selected members of every object in a JSON text that arrives in chunks, with bounded memory: the tokenizer of `stream-json`
 * splits keys, strings and numbers into chunks of its own, and this class limits how long a value and how deep the nesting may be.
 */
import { StringDecoder } from 'node:string_decoder';
import { jsonParser, type Token, type TokenName } from 'stream-json/core/parser.js';
import { Problem } from '../../../model/problem.ts';

type Scalar = string | number | boolean;

export interface ParsedObject {
  /** The keys that lead to it, the outermost first; array indexes are left out. */
  readonly path: readonly string[];
  readonly members: ReadonlyMap<string, Scalar>;
}

interface Level {
  readonly isObject: boolean;
  /** The key of the member that is open; undefined in an array. */
  key: string | undefined;
  members: Map<string, Scalar> | undefined;
}

const depthMax = 64;
const textLengthMax = 8192;

/** Token names after which the collected chunks are a whole key, string or number. */
const textEnds: ReadonlySet<TokenName> = new Set(['endKey', 'endString', 'endNumber']);

export class JsonObjectReader {
  readonly #selected: ReadonlySet<string>;
  readonly #decoder = new StringDecoder('utf8');
  readonly #tokenize = jsonParser({ packValues: false });
  readonly #levels: Level[] = [];
  #parsed: ParsedObject[] = [];
  /** The chunks of the open key, string or number; undefined once it is too long to be kept. */
  #text: string | undefined = '';
  #isComplete = false;

  /** Members with other keys are skipped. */
  constructor(selectedKeys: readonly string[]) {
    this.#selected = new Set(selectedKeys);
  }

  /** The objects that end in this chunk and have a selected member. Throws a Problem for text that is not JSON. */
  readChunk(bytes: Buffer): readonly ParsedObject[] {
    for (const token of this.#tokensOf(this.#decoder.write(bytes))) this.#readToken(token);
    const parsed = this.#parsed;
    this.#parsed = [];
    return parsed;
  }

  /** Throws a Problem where the text is truncated. */
  end(): void {
    if (!this.#isComplete || this.#decoder.end() !== '') throw notJson('it is truncated');
  }

  #tokensOf(text: string): readonly Token[] {
    try {
      const tokens = this.#tokenize(text);
      return typeof tokens === 'symbol' ? [] : tokens.values;
    } catch (error) {
      throw notJson('it is malformed', error);
    }
  }

  #readToken(token: Token): void {
    const { name } = token;
    if (name === 'startObject' || name === 'startArray') this.#open(name === 'startObject');
    else if (name === 'endObject' || name === 'endArray') this.#close();
    else if (name === 'stringChunk' || name === 'numberChunk') this.#append(token.value);
    else if (textEnds.has(name)) this.#endText(name);
    else if (name === 'trueValue' || name === 'falseValue') this.#setMember(name === 'trueValue');
    if (this.#levels.length === 0 && !this.#isComplete) throw notJson('it is neither an object nor an array');
  }

  #open(isObject: boolean): void {
    if (this.#levels.length === depthMax) throw notJson(`it is nested more than ${depthMax} levels deep`);
    this.#levels.push({ isObject, key: undefined, members: undefined });
  }

  #close(): void {
    const members = this.#levels.pop()?.members;
    if (members) this.#parsed.push({ path: this.#levels.flatMap(({ key }) => key ?? []), members });
    this.#isComplete = this.#levels.length === 0;
  }

  #append(chunk: string): void {
    if (this.#text === undefined) return;
    this.#text = this.#text.length + chunk.length > textLengthMax ? undefined : this.#text + chunk;
  }

  #endText(name: TokenName): void {
    const text = this.#text;
    this.#text = '';
    const level = this.#levels.at(-1);
    if (name === 'endKey' && level) level.key = text ?? '';
    else if (name !== 'endKey' && text !== undefined)
      this.#setMember(name === 'endNumber' ? Number(text) : text);
  }

  #setMember(value: Scalar): void {
    const level = this.#levels.at(-1);
    if (!level?.isObject || level.key === undefined || !this.#selected.has(level.key)) return;
    level.members ??= new Map();
    level.members.set(level.key, value);
  }
}

function notJson(why: string, cause?: unknown): Problem {
  return new Problem('unavailable', `it is not the JSON that was expected: ${why}`, { cause });
}
