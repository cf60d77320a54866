/**
 * The query language, for searches that parameters cannot express: OR, NOT and brackets. A recursive descent parser of this grammar
 * (https://en.wikipedia.org/wiki/Recursive_descent_parser):
 *
 *     query      = version line, expression
 *     expression = conjunction { OR conjunction }
 *     conjunction = term { AND term }
 *     term       = NOT term | "(" expression ")" | field operator value
 *     field      = a search parameter or a column, as DOMAIN, REGISTRAR, RISK_SCORE, parsed_whois:registrar
 *     operator   = EQUALS NOT_EQUALS CONTAINS GREATER_THAN GREATER_THAN_OR_EQUAL LESS_THAN LESS_THAN_OR_EQUAL WITHIN,
 *                  or = != > >= < <=
 *     value      = "text" or 'text' with \ as the escape character, or a word
 *
 * Keywords, fields and operators are case-insensitive; line breaks count as spaces; a line that begins with # is a comment.
 */
import { fieldProblem } from '../../model/problem.ts';
import type { Condition } from '../../model/record/condition.ts';
import { conditionOf, type Operator, UnknownField } from './query-fields.ts';
import { type QueryToken, queryProblem, type TokenPosition, tokenizeQuery } from './query-tokens.ts';
import type { SearchContext } from './search-parameter.ts';
import { InvalidValue } from './value-rules.ts';

const bytesMax = 65_536;
const depthMax = 50;
const conditionsMax = 500;

const operatorOf: Readonly<Record<string, Operator>> = {
  EQUALS: 'EQUALS',
  '=': 'EQUALS',
  '==': 'EQUALS',
  NOT_EQUALS: 'NOT_EQUALS',
  '!=': 'NOT_EQUALS',
  '<>': 'NOT_EQUALS',
  CONTAINS: 'CONTAINS',
  GREATER_THAN: 'GREATER_THAN',
  '>': 'GREATER_THAN',
  GREATER_THAN_OR_EQUAL: 'GREATER_THAN_OR_EQUAL',
  '>=': 'GREATER_THAN_OR_EQUAL',
  LESS_THAN: 'LESS_THAN',
  '<': 'LESS_THAN',
  LESS_THAN_OR_EQUAL: 'LESS_THAN_OR_EQUAL',
  '<=': 'LESS_THAN_OR_EQUAL',
  WITHIN: 'WITHIN',
};

/** Throws `invalid-parameters` with line and column. */
export function parseQuery(text: string, context: SearchContext): Condition {
  if (Buffer.byteLength(text) > bytesMax)
    throw fieldProblem('invalid-parameters', 'query', `must not be longer than ${bytesMax} bytes`);
  return new QueryParser(tokenizeQuery(text), context).parse();
}

class QueryParser {
  readonly #tokens: readonly QueryToken[];
  readonly #context: SearchContext;
  #at = 0;
  #depth = 0;
  #conditions = 0;

  constructor(tokens: readonly QueryToken[], context: SearchContext) {
    this.#tokens = tokens;
    this.#context = context;
  }

  parse(): Condition {
    const condition = this.#joined('or');
    const rest = this.#next;
    if (rest.kind !== 'end') throw queryProblem(rest, `expected AND, OR or the end, not ${shown(rest)}`);
    return condition;
  }

  get #next(): QueryToken {
    return this.#tokens[this.#at] as QueryToken;
  }

  #accept(keyword: string): boolean {
    const { kind, text } = this.#next;
    if (kind !== 'word' || text.toUpperCase() !== keyword) return false;
    this.#at += 1;
    return true;
  }

  #joined(kind: 'or' | 'and'): Condition {
    const of: Condition[] = [];
    do of.push(kind === 'or' ? this.#joined('and') : this.#term());
    while (this.#accept(kind.toUpperCase()));
    return of.length === 1 ? (of[0] as Condition) : { kind, of };
  }

  #term(): Condition {
    const start = this.#next;
    const not = this.#accept('NOT');
    if (!not && start.kind !== 'open') return this.#condition();
    this.#depth += 1;
    if (this.#depth > depthMax)
      throw queryProblem(start, `brackets and NOT can be nested at most ${depthMax} deep`);
    const condition: Condition = not ? { kind: 'not', of: this.#term() } : this.#bracketed(start);
    this.#depth -= 1;
    return condition;
  }

  #bracketed(start: QueryToken): Condition {
    this.#at += 1;
    const condition = this.#joined('or');
    if (this.#next.kind !== 'close') {
      const opened = `line ${start.line}, column ${start.column}`;
      throw queryProblem(this.#next, `expected ) for the bracket of ${opened}, not ${shown(this.#next)}`);
    }
    this.#at += 1;
    return condition;
  }

  #condition(): Condition {
    const field = this.#next;
    if (field.kind !== 'word' || isKeyword(field))
      throw queryProblem(field, `expected a field, not ${shown(field)}`);
    this.#conditions += 1;
    if (this.#conditions > conditionsMax)
      throw queryProblem(field, `a query can have at most ${conditionsMax} conditions`);
    this.#at += 1;
    const operator = this.#operator();
    const value = this.#next;
    if ((value.kind !== 'word' && value.kind !== 'quoted') || isKeyword(value))
      throw queryProblem(value, `expected a value, not ${shown(value)}`);
    this.#at += 1;
    try {
      const name = field.text.toLowerCase();
      return conditionOf(this.#context.nameOf?.(name) ?? name, operator, value.text, this.#context);
    } catch (error) {
      if (error instanceof UnknownField) throw queryProblem(field, error.message);
      if (error instanceof InvalidValue) throw queryProblem(spanOf(field, value), error.message);
      throw error;
    }
  }

  #operator(): Operator {
    const token = this.#next;
    const name = token.kind === 'word' || token.kind === 'sign' ? token.text.toUpperCase() : '';
    const operator = Object.hasOwn(operatorOf, name) ? operatorOf[name] : undefined;
    if (operator === undefined) throw queryProblem(token, `expected an operator, not ${shown(token)}`);
    this.#at += 1;
    return operator;
  }
}

/** From the start of one token to the end of another; the first alone where they are on different lines. */
function spanOf(first: QueryToken, last: QueryToken): TokenPosition {
  const length = first.line === last.line ? last.column + last.length - first.column : first.length;
  return { line: first.line, column: first.column, length };
}

function isKeyword({ kind, text }: QueryToken): boolean {
  return kind === 'word' && ['AND', 'OR', 'NOT'].includes(text.toUpperCase());
}

function shown({ kind, text }: QueryToken): string {
  if (kind === 'end') return 'the end of the query';
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
