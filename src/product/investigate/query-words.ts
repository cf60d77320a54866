/** The words of a query: names, operators, brackets and values, each with the place where it stands. */
import { fieldProblem, type Problem } from '../../model/problem.ts';

export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface QueryWord extends Place {
  readonly kind: 'word' | 'quoted' | 'sign' | 'open' | 'close' | 'end';
  readonly text: string;
}

/** Names the place, because a query can be long. */
export function queryProblem({ line, column }: Place, message: string): Problem {
  return fieldProblem('invalid-parameters', 'query', `line ${line}, column ${column}: ${message}`);
}

const blank = /[\s\ufeff]/;
const plain = /[^\s\ufeff()"'=<>!]+/y;
const signs = /!=|<>|<=|>=|==|=|<|>/y;
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/** Ends with a word of kind `end`. A line that begins with # is a remark. */
export function readWords(text: string): readonly QueryWord[] {
  const found: QueryWord[] = [];
  let [at, line, lineStart] = [0, 1, 0];
  const place = (): Place => ({ line, column: at - lineStart + 1 });
  const toNextLine = () => {
    line += 1;
    lineStart = at;
  };

  while (at < text.length) {
    const character = text[at] as string;
    const start = place();
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
      found.push({ kind: character === '(' ? 'open' : 'close', text: character, ...start });
    } else if (character === '"' || character === "'") {
      const value = readQuoted(text, at, start);
      const lines = text.slice(at, value.end).split('\n');
      at = value.end;
      line += lines.length - 1;
      if (lines.length > 1) lineStart = at - (lines.at(-1) as string).length;
      found.push({ kind: 'quoted', text: value.text, ...start });
    } else {
      const word = matchAt(plain, text, at);
      const sign = word === undefined ? matchAt(signs, text, at) : undefined;
      const taken = word ?? sign;
      if (taken === undefined) throw queryProblem(start, `${character} means nothing here`);
      at += taken.length;
      found.push({ kind: word === undefined ? 'sign' : 'word', text: taken, ...start });
    }
  }
  found.push({ kind: 'end', text: '', ...place() });
  return found;
}

function matchAt(sticky: RegExp, text: string, at: number): string | undefined {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0];
}

/** A backslash takes the next character as it is, or as a line end or tab. */
function readQuoted(text: string, from: number, start: Place): { text: string; end: number } {
  const quote = text[from];
  let value = '';
  for (let at = from + 1; at < text.length; at += 1) {
    const character = text[at] as string;
    if (character === quote) return { text: value, end: at + 1 };
    if (character !== '\\') value += character;
    else {
      at += 1;
      const next = text[at] ?? '';
      value += escapes[next] ?? next;
    }
  }
  throw queryProblem(start, 'this quote is never closed');
}
