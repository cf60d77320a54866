/** A search in the query language, whichever way it was written, so that NOT and OR can be added to it. */
import { findParameter } from './search-parameters.ts';
import type { SearchPair, SearchText } from './search-text.ts';

/** Parameters that are numbers or times in the query language, with the comparison that they stand for. */
const compared: Readonly<Record<string, readonly [field: string, operator: string]>> = {
  rank: ['rank', '<='],
  risk_score: ['risk_score', '>'],
  first_seen_since: ['first_seen', '>'],
  expiration_date: ['expiration_date', '='],
};

/** `parseQuery` makes the same condition of it. */
export function queryTextOf(search: SearchText): string {
  if ('query' in search) return search.query;
  return search.parameters.map(conditionText).join(' AND ');
}

function conditionText([name, value]: SearchPair): string {
  if (name === 'create_date') {
    const [, comparison = '=', day = ''] = /^\s*([<>]=?)?(.*)$/s.exec(value) ?? [];
    return `create_date ${comparison} ${quoted(day.trim())}`;
  }
  const [field, operator] = (Object.hasOwn(compared, name) ? compared[name] : undefined) ?? [name, '='];
  // Such a parameter finds parts of a text, where EQUALS finds whole ones.
  const finds = findParameter(name)?.equals ? 'CONTAINS' : operator;
  return `${field} ${finds} ${quoted(value)}`;
}

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function quoted(value: string): string {
  return `"${value.replaceAll(/["\\\n\r\t]/g, (character) => escapes[character] ?? `\\${character}`)}"`;
}
