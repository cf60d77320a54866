/** Conditions in one line, for chips, labels and lists. */
import { type Condition, listNames } from '../../query/condition.ts';
import { conditionsOf, type SearchQuery } from '../../query/search-query.ts';
import { searchWords } from '../../words/search.ts';

const listedNames = 3;

/** A pasted list is a number. */
export function valueWords({ field, value }: Condition): string {
  if (!listNames.has(field)) return value;
  const items = value.split(',');
  return items.length > listedNames ? searchWords.names(items.length) : items.join(', ');
}

export const conditionWords = (condition: Condition): string =>
  `${condition.field} ${searchWords.sign(condition.comparison, condition.not)} ${valueWords(condition)}`;

export function queryWords(query: SearchQuery): string {
  const conditions = conditionsOf(query);
  if (conditions) return conditions.map(conditionWords).join(' · ');
  return 'ql' in query ? query.ql.replaceAll(/\s+/g, ' ') : '';
}
