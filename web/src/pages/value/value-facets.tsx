import { Compass } from 'lucide-react';
import { wordsOfField } from '../../data/field-words.ts';
import { plain } from '../../data/foreign.ts';
import type { Facet, SearchQuery } from '../../data/search.ts';
import { Risk } from '../../parts/risk.tsx';
import { SearchLink } from '../../parts/search-link.tsx';
import { Text } from '../../parts/text.tsx';
import { ValueMenu } from '../../parts/value-menu.tsx';
import { valueIs } from '../../query/condition.ts';
import { narrowed } from '../../query/search-query.ts';
import { number } from '../../words/language.ts';
import { valueWords as words } from '../../words/values.ts';

/** What the domains of a value share besides: the count leads to the search for both. */
export function ValueFacets({ facets, query }: { facets: readonly Facet[]; query: SearchQuery }) {
  return (
    <div className="value-facets">
      {facets
        .filter(({ values }) => values.length > 0)
        .map(({ by, parameter, values }) => (
          <div key={plain(by)}>
            <h3>
              <Text of={wordsOfField(by)} />
            </h3>
            <ul>
              {values.map(({ value, domains, average_risk, guided }) => {
                const both =
                  parameter === null ? undefined : narrowed(query, valueIs(plain(parameter), plain(value)));
                return (
                  <li key={plain(value)}>
                    <ValueMenu field={plain(parameter ?? by)} value={value}>
                      <Text of={value} />
                    </ValueMenu>
                    <Risk score={average_risk === null ? null : Math.round(average_risk)} status={null} />
                    <b>
                      {guided && <Compass size={12} aria-label={words.guided} />}
                      {both ? <SearchLink query={both}>{number(domains)}</SearchLink> : number(domains)}
                    </b>
                  </li>
                );
              })}
            </ul>
          </div>
        ))}
    </div>
  );
}
