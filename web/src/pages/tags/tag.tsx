/** The page of a label: its domains, riskiest first, and which other tags they have. */
import '../../styles/tags.css';
import { Link, useParams } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { foreign, plain } from '../../data/foreign.ts';
import { type SearchQuery, type SearchRow, useSearchResult } from '../../data/search.ts';
import { spelledOut } from '../../data/unseen.ts';
import { Name } from '../../parts/name.tsx';
import { Empty, Failure, Skeletons } from '../../parts/region.tsx';
import { Risk } from '../../parts/risk.tsx';
import { SearchLink } from '../../parts/search-link.tsx';
import { Text } from '../../parts/text.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { WideTable } from '../../parts/wide-table.tsx';
import { number } from '../../words/language.ts';
import { tagWords, tagPageWords as words } from '../../words/tags.ts';
import { foldLabel } from './tag-choices.ts';
import { type TagOverlap, useTagOverlap, useTags } from './tag-data.ts';
import { TagLabel } from './tag-label.tsx';

const riskiestFirst = { by: 'risk_score', direction: 'dsc' } as const;
const shownMax = 100;

export function TagPage() {
  const { tag: label } = useParams({ from: '/app/tags/$tag' });
  useTitle(spelledOut(foreign(label)));
  const tags = useTags();
  const overlap = useTagOverlap(label);
  const same = (tags.data?.tags ?? []).filter((tag) => foldLabel(plain(tag.label)) === foldLabel(label));
  const query: SearchQuery = { parameters: { tagged_with_any: [label] } };
  return (
    <div className="page-body tags-page">
      <header className="page-head">
        <h1>
          <Text of={foreign(label)} />{' '}
          {overlap.data && <span className="count">{number(overlap.data.domains)}</span>}
        </h1>
        <div className="grow" />
        <SearchLink query={query} className="button">
          <Search size={15} aria-hidden /> {words.search}
        </SearchLink>
      </header>
      <div className="tag-chips">
        {same.map((tag) => (
          <Link key={tag.id} to="/tags" search={{ edit: tag.id }} className="tag-chip">
            <TagLabel tag={tag} />
          </Link>
        ))}
        <Link to="/tags">{tagWords.all}</Link>
      </div>
      {tags.data && same.length === 0 ? (
        <Empty title={words.none}>
          <p>{words.noneHint}</p>
        </Empty>
      ) : (
        <div className="tag-columns">
          <section className="panel">
            <h2>{words.domains}</h2>
            <TaggedDomains query={query} />
          </section>
          <section className="panel">
            <h2>{words.overlap}</h2>
            {overlap.isError && (
              <Failure error={overlap.error} what={words.overlap} retry={() => void overlap.refetch()} />
            )}
            {overlap.isLoading && <Skeletons count={4} label={tagWords.loading} />}
            {overlap.data && <Overlap overlap={overlap.data} label={label} />}
          </section>
        </div>
      )}
    </div>
  );
}

function TaggedDomains({ query }: { query: SearchQuery }) {
  const result = useSearchResult(query, { sort: riskiestFirst });
  if (result.isError)
    return <Failure error={result.error} what={words.domains} retry={() => void result.refetch()} />;
  const [page] = result.data?.pages ?? [];
  if (!page) return <Skeletons count={8} label={words.domains} />;
  if (page.total === 0) return <p className="pale">{words.noDomains}</p>;
  const rows: readonly SearchRow[] = page.too_many ? [] : page.domains.slice(0, shownMax);
  return (
    <>
      <ul className="values">
        {rows.map(({ domain, punycode, risk_score }) => (
          <li key={plain(punycode)} className="tagged-domain">
            <Risk score={risk_score} status={null} />
            <Link to="/domain/$name" params={{ name: plain(punycode) }}>
              <Name host={domain} />
            </Link>
          </li>
        ))}
      </ul>
      {rows.length < page.total && (
        <p>
          <SearchLink query={query}>{words.someOf(rows.length, page.total)}</SearchLink>
        </p>
      )}
    </>
  );
}

function Overlap({ overlap, label }: { overlap: TagOverlap; label: string }) {
  const { domains, complete, others } = overlap;
  if (others.length === 0) return <p className="pale">{words.noOverlap}</p>;
  return (
    <>
      {!complete && <p className="banner">{words.overlapPart}</p>}
      <WideTable label={words.overlap}>
        <table className="data-table">
          <thead>
            <tr>
              <th scope="col">{words.columns.tag}</th>
              <th scope="col" className="number">
                {words.columns.domains}
              </th>
              <th scope="col" className="number">
                {words.columns.share}
              </th>
            </tr>
          </thead>
          <tbody>
            {others.map((other) => (
              <tr key={`${other.scope} ${plain(other.label)}`}>
                <td>
                  <Link to="/tags/$tag" params={{ tag: plain(other.label) }}>
                    <TagLabel tag={other} />
                  </Link>
                </td>
                <td className="number">
                  <SearchLink
                    query={{ parameters: { tagged_with_all: [`${label},${plain(other.label)}`] } }}
                    label={`${words.both}: ${number(other.domains)}`}
                  >
                    {number(other.domains)}
                  </SearchLink>
                </td>
                <td className="number">{words.share(other.domains / domains)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
    </>
  );
}
