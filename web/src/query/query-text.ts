/** Reads and writes the part of the query language that chips can show: conditions joined by AND, each possibly with NOT. */
import type { Comparison, Condition } from './condition.ts';

const comparisonOf: Readonly<Record<string, Comparison | '!='>> = {
  EQUALS: '=',
  '=': '=',
  '==': '=',
  NOT_EQUALS: '!=',
  '!=': '!=',
  '<>': '!=',
  CONTAINS: 'contains',
  GREATER_THAN: '>',
  '>': '>',
  GREATER_THAN_OR_EQUAL: '>=',
  '>=': '>=',
  LESS_THAN: '<',
  '<': '<',
  LESS_THAN_OR_EQUAL: '<=',
  '<=': '<=',
  WITHIN: 'within',
};

interface Token {
  readonly kind: 'word' | 'quoted' | 'sign' | 'open' | 'close';
  readonly text: string;
}

const tokenForm =
  /(?<blank>[\s\ufeff]+)|(?<open>\()|(?<close>\))|"(?<double>(?:[^"\\]|\\[^])*)"|'(?<single>(?:[^'\\]|\\[^])*)'|(?<sign>!=|<>|<=|>=|==|=|<|>)|(?<word>[^\s\ufeff()"'=<>!]+)/y;
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
const unescaped = (text: string): string =>
  text.replaceAll(/\\([^])/g, (_, character: string) => escapes[character] ?? character);

/** Undefined where the text is not well-formed: the server says what is wrong with it. */
function tokensOf(text: string): readonly Token[] | undefined {
  const code = text.replaceAll(/^[^\S\n]*#.*$/gm, '');
  const tokens: Token[] = [];
  for (let at = 0; at < code.length; ) {
    tokenForm.lastIndex = at;
    const groups = tokenForm.exec(code)?.groups;
    if (!groups) return undefined;
    at = tokenForm.lastIndex;
    const { open, close, double, single, sign, word } = groups;
    const quoted = double ?? single;
    if (open !== undefined) tokens.push({ kind: 'open', text: open });
    else if (close !== undefined) tokens.push({ kind: 'close', text: close });
    else if (quoted !== undefined) tokens.push({ kind: 'quoted', text: unescaped(quoted) });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word });
  }
  return tokens;
}

/** Undefined for a query that is more than conditions joined by AND, or that has a mistake. */
export function parseConditions(text: string): readonly Condition[] | undefined {
  const tokens = tokensOf(text);
  if (!tokens) return undefined;
  const reader = new Reader(tokens);
  const found = reader.conjunction();
  return found && reader.isAtEnd ? found : undefined;
}

const depthMax = 50;

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  #accept(is: (token: Token) => boolean): Token | undefined {
    const token = this.#tokens[this.#at];
    if (!token || !is(token)) return undefined;
    this.#at += 1;
    return token;
  }

  #keyword(keyword: string): boolean {
    return this.#accept(({ kind, text }) => kind === 'word' && text.toUpperCase() === keyword) !== undefined;
  }

  conjunction(): readonly Condition[] | undefined {
    const found: Condition[] = [];
    do {
      const term = this.#term();
      if (!term) return undefined;
      found.push(...term);
    } while (this.#keyword('AND'));
    return found;
  }

  #term(): readonly Condition[] | undefined {
    if (this.#keyword('NOT')) {
      const [only, ...others] = this.#nested(() => this.#term()) ?? [];
      // NOT of several conditions is an OR.
      return only && others.length === 0 ? [{ ...only, not: !only.not }] : undefined;
    }
    if (!this.#accept(({ kind }) => kind === 'open')) return this.#condition();
    const inner = this.#nested(() => this.conjunction());
    return inner && this.#accept(({ kind }) => kind === 'close') ? inner : undefined;
  }

  #nested(read: () => readonly Condition[] | undefined): readonly Condition[] | undefined {
    if (this.#depth >= depthMax) return undefined;
    this.#depth += 1;
    const found = read();
    this.#depth -= 1;
    return found;
  }

  #condition(): readonly Condition[] | undefined {
    const field = this.#accept((token) => token.kind === 'word' && !isKeyword(token));
    const sign = this.#accept(({ kind }) => kind === 'word' || kind === 'sign')?.text.toUpperCase() ?? '';
    const comparison = Object.hasOwn(comparisonOf, sign) ? comparisonOf[sign] : undefined;
    const value = this.#accept(
      (token) => token.kind === 'quoted' || (token.kind === 'word' && !isKeyword(token)),
    );
    if (!field || comparison === undefined || !value) return undefined;
    const not = comparison === '!=';
    return [{ field: field.text.toLowerCase(), not, comparison: not ? '=' : comparison, value: value.text }];
  }
}

const isKeyword = ({ kind, text }: Token): boolean =>
  kind === 'word' && ['AND', 'OR', 'NOT'].includes(text.toUpperCase());

const writtenEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const quoted = (text: string): string =>
  `"${text.replaceAll(/["\\\n\r\t]/g, (character) => writtenEscapes[character] ?? `\\${character}`)}"`;

export function writeCondition({ field, not, comparison, value }: Condition): string {
  if (comparison === '=') return `${field} ${not ? '!=' : '='} ${quoted(value)}`;
  const written = `${field} ${comparison.toUpperCase()} ${quoted(value)}`;
  return not ? `NOT ${written}` : written;
}

export const writeConditions = (conditions: readonly Condition[]): string =>
  conditions.map(writeCondition).join('\nAND ');
