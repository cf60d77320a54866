/** The tokenizer of the query language. Tokens are names, operators, brackets and values, each with its position. */
import { Problem } from '../../model/problem.ts';

/** Lines and columns count from 1; columns and the length are in UTF-16 units, as in the text fields of browsers. */
export interface TokenPosition {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

export interface QueryToken extends TokenPosition {
  readonly kind: 'word' | 'quoted' | 'sign' | 'open' | 'close' | 'end';
  readonly text: string;
}

/** With the position, because a query can be long; its members say the same to a program. */
export function queryProblem({ line, column, length }: TokenPosition, message: string): Problem {
  const text = `line ${line}, column ${column}: ${message}`;
  return new Problem('invalid-parameters', `query: ${text}`, {
    fields: { query: [text] },
    members: { line, column, length },
  });
}

const blank = /[\s\ufeff]/;
const unquoted = /[^\s\ufeff()"'=<>!]+/y;
const signs = /!=|<>|<=|>=|==|=|<|>/y;
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/** The last token is of kind `end`. A line that begins with # is a comment. */
export function tokenizeQuery(text: string): readonly QueryToken[] {
  const tokens: QueryToken[] = [];
  let [at, line, lineStart] = [0, 1, 0];
  const position = (length = 1): TokenPosition => ({ line, column: at - lineStart + 1, length });
  const toNextLine = () => {
    line += 1;
    lineStart = at;
  };

  while (at < text.length) {
    const character = text[at] as string;
    const start = position();
    if (character === '\n') {
      at += 1;
      toNextLine();
    } else if (blank.test(character)) {
      at += 1;
    } else if (character === '#' && text.slice(lineStart, at).trim() === '') {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
    } else if (character === '(' || character === ')') {
      at += 1;
      tokens.push({ kind: character === '(' ? 'open' : 'close', text: character, ...start });
    } else if (character === '"' || character === "'") {
      const value = readQuoted(text, at, start);
      const lines = text.slice(at, at + value.length).split('\n');
      at += value.length;
      line += lines.length - 1;
      if (lines.length > 1) lineStart = at - (lines.at(-1) as string).length;
      tokens.push({ kind: 'quoted', text: value.text, ...start, length: value.length });
    } else {
      const word = matchAt(unquoted, text, at);
      const sign = word === undefined ? matchAt(signs, text, at) : undefined;
      const token = word ?? sign;
      if (token === undefined) throw queryProblem(start, `unexpected character ${character}`);
      at += token.length;
      tokens.push({
        kind: word === undefined ? 'sign' : 'word',
        text: token,
        ...start,
        length: token.length,
      });
    }
  }
  tokens.push({ kind: 'end', text: '', ...position(0) });
  return tokens;
}

function matchAt(sticky: RegExp, text: string, at: number): string | undefined {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0];
}

/** A backslash escapes the next character; n, r and t stand for line breaks and a tab. */
function readQuoted(text: string, from: number, start: TokenPosition): { text: string; length: number } {
  const quote = text[from];
  let value = '';
  for (let at = from + 1; at < text.length; at += 1) {
    const character = text[at] as string;
    if (character === quote) return { text: value, length: at + 1 - from };
    if (character !== '\\') value += character;
    else {
      at += 1;
      const next = text[at] ?? '';
      value += escapes[next] ?? next;
    }
  }
  throw queryProblem(start, 'this quote is never closed');
}
