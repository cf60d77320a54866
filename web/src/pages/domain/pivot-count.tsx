import { foreign, plain } from '../../data/foreign.ts';
import { type SearchCatalogue, useCatalogue } from '../../data/search.ts';
import { spelledOut } from '../../data/unseen.ts';
import { SearchLink } from '../../parts/search-link.tsx';
import { valueIs } from '../../query/condition.ts';
import { queryOf, type SearchQuery } from '../../query/search-query.ts';
import { domains as domainsWords, number } from '../../words/language.ts';
import type { PivotGroup } from './pivot-groups.ts';

/** The search for the first value that a parameter finds: the others of the group are those of the same domains. */
function searchOf(
  values: PivotGroup['values'],
  catalogue: SearchCatalogue | undefined,
): SearchQuery | undefined {
  for (const { attribute, value } of values) {
    const column = catalogue?.columns.find(({ name }) => name === plain(attribute));
    if (column?.parameter) return queryOf([valueIs(column.parameter, plain(value))]);
  }
  return undefined;
}

/** How many domains share a value; it leads to the search for them. */
export function PivotCount({ values, domains }: Pick<PivotGroup, 'values' | 'domains'>) {
  const query = searchOf(values, useCatalogue().data);
  if (!query) return number(domains);
  const [first] = values;
  const label = `${domainsWords(domains)}: ${spelledOut(first?.value ?? foreign(''))}`;
  return (
    <SearchLink query={query} label={label}>
      {number(domains)}
    </SearchLink>
  );
}
