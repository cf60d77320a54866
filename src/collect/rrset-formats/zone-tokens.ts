/**
 * The words of a master file (RFC 1035, section 5.1): comments gone, parentheses resolved over lines, quotes and escapes
 * left as written for whoever reads the word.
 */

/** A record of the longest rdata with every byte escaped is about this long; what is longer has lost its parenthesis. */
const entryCharsMax = 262_144;

export interface ZoneEntry {
  /** Whether the first line began with white space, so that the owner is that of the record before. */
  readonly isOwnerLeftOut: boolean;
  readonly words: readonly string[];
  /** Why the entry cannot be right; its words are those before the fault. */
  readonly fault: string | undefined;
}

const [tab, space, quote, open, close, semicolon, backslash] = [9, 32, 34, 40, 41, 59, 92];
const special = /["();\\]/;

function isBlank(code: number): boolean {
  return code === space || code === tab;
}

function isWordEnd(code: number): boolean {
  return isBlank(code) || code === open || code === close || code === semicolon;
}

/** Where the quoted part that begins at `at` ends, behind its quote; undefined when it never does. */
function quotedEnd(line: string, at: number): number | undefined {
  for (let place = at + 1; place < line.length; place += 1) {
    const code = line.charCodeAt(place);
    if (code === quote) return place + 1;
    if (code === backslash) place += 1;
  }
  return undefined;
}

/** Where the word that begins at `at` ends. A quoted word ends with its quote; in another one quotes may stand anywhere. */
function wordEnd(line: string, at: number): number | undefined {
  if (line.charCodeAt(at) === quote) return quotedEnd(line, at);
  let place = at;
  while (place < line.length && !isWordEnd(line.charCodeAt(place))) {
    const code = line.charCodeAt(place);
    if (code === quote) {
      const end = quotedEnd(line, place);
      if (end === undefined) return undefined;
      place = end;
    } else {
      place += code === backslash ? 2 : 1;
    }
  }
  return Math.min(place, line.length);
}

export class ZoneTokens {
  #words: string[] = [];
  #depth = 0;
  #chars = 0;
  #isOwnerLeftOut = false;

  /** The entry that ends with this line; undefined when it goes on, or when the line is empty. */
  line(line: string): ZoneEntry | undefined {
    if (this.#depth === 0) {
      this.#words = [];
      this.#chars = 0;
      this.#isOwnerLeftOut = isBlank(line.charCodeAt(0));
      if (!special.test(line)) return this.#plain(line);
    }
    this.#chars += line.length;
    const fault = this.#chars > entryCharsMax ? 'a parenthesis is never closed' : this.#cut(line);
    if (fault === undefined && this.#depth > 0) return undefined;
    this.#depth = 0;
    return this.#entry(this.#words, fault);
  }

  /** What is left when the file ends inside parentheses. */
  end(): ZoneEntry | undefined {
    if (this.#depth === 0) return undefined;
    this.#depth = 0;
    return this.#entry(this.#words, 'a parenthesis is never closed');
  }

  #plain(line: string): ZoneEntry | undefined {
    const words = line.split(/[ \t]+/);
    if (words[0] === '') words.shift();
    if (words.at(-1) === '') words.pop();
    return this.#entry(words, undefined);
  }

  #entry(words: readonly string[], fault: string | undefined): ZoneEntry | undefined {
    if (words.length === 0 && fault === undefined) return undefined;
    return { isOwnerLeftOut: this.#isOwnerLeftOut, words, fault };
  }

  /** Adds the words of a line; gives what is wrong with it. */
  #cut(line: string): string | undefined {
    for (let at = 0; at < line.length; ) {
      const code = line.charCodeAt(at);
      if (code === semicolon) return undefined;
      if (code === open) this.#depth += 1;
      else if (code === close) this.#depth -= 1;
      if (this.#depth < 0) return 'a parenthesis is closed that was never opened';
      if (isWordEnd(code)) {
        at += 1;
        continue;
      }
      const end = wordEnd(line, at);
      if (end === undefined) return 'a quoted text does not end on its line';
      this.#words.push(line.slice(at, end));
      at = end;
    }
    return undefined;
  }
}
