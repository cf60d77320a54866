/**
 * Tokenizer of master files (RFC 1035, 5.1): removes comments, joins parenthesised lines, leaves quotes and escapes in the words.
 */

/** About the length of the longest rdata with every byte escaped; a longer entry has an unclosed parenthesis. */
const entryCharsMax = 262_144;

export interface ZoneEntry {
  /** The first line began with white space, so the owner is that of the previous record. */
  readonly isOwnerOmitted: boolean;
  readonly words: readonly string[];
  /** Why the entry is malformed; `words` are those before the fault. */
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

/** Offset after the closing quote; undefined when there is none. */
function quotedEnd(line: string, at: number): number | undefined {
  for (let index = at + 1; index < line.length; index += 1) {
    const code = line.charCodeAt(index);
    if (code === quote) return index + 1;
    if (code === backslash) index += 1;
  }
  return undefined;
}

/** End of the word at `at`. A quoted word ends with its quote; an unquoted word may contain quotes. */
function wordEnd(line: string, at: number): number | undefined {
  if (line.charCodeAt(at) === quote) return quotedEnd(line, at);
  let index = at;
  while (index < line.length && !isWordEnd(line.charCodeAt(index))) {
    const code = line.charCodeAt(index);
    if (code === quote) {
      const end = quotedEnd(line, index);
      if (end === undefined) return undefined;
      index = end;
    } else {
      index += code === backslash ? 2 : 1;
    }
  }
  return Math.min(index, line.length);
}

export class ZoneTokens {
  #words: string[] = [];
  #depth = 0;
  #chars = 0;
  #isOwnerOmitted = false;

  /** The entry that ends with this line; undefined when it continues, or when the line is empty. */
  addLine(line: string): ZoneEntry | undefined {
    if (this.#depth === 0) {
      this.#words = [];
      this.#chars = 0;
      this.#isOwnerOmitted = isBlank(line.charCodeAt(0));
      if (!special.test(line)) return this.#plain(line);
    }
    this.#chars += line.length;
    const fault = this.#chars > entryCharsMax ? 'a parenthesis is never closed' : this.#addWords(line);
    if (fault === undefined && this.#depth > 0) return undefined;
    this.#depth = 0;
    return this.#entry(this.#words, fault);
  }

  /** The rest, when the file ends inside parentheses. */
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
    return { isOwnerOmitted: this.#isOwnerOmitted, words, fault };
  }

  /** Adds the words of a line; returns the fault, if any. */
  #addWords(line: string): string | undefined {
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
