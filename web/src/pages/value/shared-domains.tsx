import { Link } from '@tanstack/react-router';
import { plain } from '../../data/foreign.ts';
import type { SearchQuery, ValuePage } from '../../data/search.ts';
import { Name } from '../../parts/name.tsx';
import { Risk } from '../../parts/risk.tsx';
import { SearchLink } from '../../parts/search-link.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import { WideTable } from '../../parts/wide-table.tsx';
import { valueWords as words } from '../../words/values.ts';

/** The riskiest of the domains that have the value, and the way to all of them. */
export function SharedDomains({ page, query }: { page: ValuePage; query: SearchQuery }) {
  const { domains, total, too_many } = page;
  if (total === 0) return <p className="pale">{words.none}</p>;
  return (
    <>
      <p>
        <SearchLink query={query} className="button">
          {words.allDomains(total)}
        </SearchLink>{' '}
        {too_many && <span className="pale">{words.tooMany(total)}</span>}
      </p>
      {domains.length > 0 && (
        <WideTable label={words.riskiest(domains.length)}>
          <table className="data-table shared-domains">
            <thead>
              <tr>
                <th scope="col">{words.columns.domain}</th>
                <th scope="col">{words.columns.score}</th>
                <th scope="col">{words.columns.registrar}</th>
                <th scope="col">{words.columns.first}</th>
              </tr>
            </thead>
            <tbody>
              {domains.map(({ domain, punycode, risk_score, first_seen, cells }) => (
                <tr key={plain(punycode)}>
                  <th scope="row">
                    <Link to="/domain/$name" params={{ name: plain(punycode) }}>
                      <Name host={domain} />
                    </Link>
                  </th>
                  <td>
                    <Risk score={risk_score} status={null} />
                  </td>
                  <td>
                    {(cells['registrar']?.values ?? []).map(({ value }, index) => (
                      <Text key={index} of={value} />
                    ))}
                  </td>
                  <td>{first_seen !== null && <Ago at={first_seen} />}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </WideTable>
      )}
    </>
  );
}
