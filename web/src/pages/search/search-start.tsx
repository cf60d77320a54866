/** Search before anything was searched for: examples that find something, and what this person has searched for. */
import { foreign } from '../../data/foreign.ts';
import { useMe } from '../../data/me.ts';
import { SearchLink } from '../../parts/search-link.tsx';
import { Text } from '../../parts/text.tsx';
import type { SearchQuery } from '../../query/search-query.ts';
import { startWords as words } from '../../words/search.ts';
import { queryWords } from './condition-words.ts';
import { useRecentSearches } from './recent-searches.ts';

type Example = readonly [label: string, query: SearchQuery];

/** Values of the world that the demonstration shows. */
const inDemo: readonly Example[] = [
  [words.demo.registrar, { parameters: { registrar: ['Ember & Ash Domains'] } }],
  [words.demo.nameServers, { parameters: { nameserver_domain: ['silentgate.brax'] } }],
  [
    words.demo.combined,
    { ql: 'registrar = "Ember & Ash Domains"\nAND nameserver_domain != "parkinglot.brax"' },
  ],
];

const anywhere: readonly Example[] = [
  [words.anywhere.registered, { ql: 'create_date WITHIN "the last 7 days"' }],
  [words.anywhere.risky, { ql: 'first_seen WITHIN "the last 1 day"\nAND risk_score >= "70"' }],
  [words.anywhere.active, { ql: 'first_seen WITHIN "the last 1 hour"\nAND active = "true"' }],
];

export function SearchStart() {
  const isDemo = useMe().data?.server.demo ?? false;
  const { recent, forget } = useRecentSearches();
  return (
    <div className="search-start">
      <p>{words.intro}</p>
      <section className="panel">
        <h2>{words.examples}</h2>
        <ul>
          {[...(isDemo ? inDemo : []), ...anywhere].map(([label, query]) => (
            <li key={label}>
              <SearchLink query={query}>{label}</SearchLink>
              <code>
                <Text of={foreign(queryWords(query))} />
              </code>
            </li>
          ))}
        </ul>
      </section>
      {recent.length > 0 && (
        <section className="panel">
          <h2>{words.recent}</h2>
          <ul>
            {recent.map((query, index) => (
              <li key={index}>
                <SearchLink query={query}>
                  <Text of={foreign(queryWords(query))} />
                </SearchLink>
              </li>
            ))}
          </ul>
          <p className="pale">
            {words.recentHint}{' '}
            <button type="button" className="ghost" onClick={forget}>
              {words.clearRecent}
            </button>
          </p>
        </section>
      )}
    </div>
  );
}
