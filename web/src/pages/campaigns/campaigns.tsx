/** All campaigns of the account: what links their domains, how many there are, when the last one joined. */
import '../../styles/campaigns.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Bell, Plus } from 'lucide-react';
import { useDeferredValue, useRef, useState } from 'react';
import { type Campaign, type CampaignFilter, useCampaigns } from '../../data/campaign/campaigns.ts';
import { useMissing } from '../../data/me.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { Empty, Failure, Skeletons } from '../../parts/region.tsx';
import { Risk } from '../../parts/risk.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { WideTable } from '../../parts/wide-table.tsx';
import { makeCampaignWords, campaignListWords as words } from '../../words/campaigns/campaign-words.ts';
import { number } from '../../words/language.ts';
import { timeWords } from '../../words/parts.ts';
import { type CampaignsSearch, type CampaignsView, campaignViews } from './campaigns-search.ts';
import { LinkList } from './link-text.tsx';
import { MakeCampaign } from './make-campaign.tsx';

function filterOf({ view, q }: CampaignsSearch): CampaignFilter {
  return {
    ...(view === 'followed' ? { followed: 'true' } : { state: view ?? 'active' }),
    ...(q !== undefined && { search: q }),
  };
}

export function Campaigns() {
  useTitle(words.title);
  const search = useSearch({ from: '/app/campaigns' });
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const list = useCampaigns(filterOf(useDeferredValue(search)));
  const missing = useMissing('triage');
  const [isMaking, setMaking] = useState(false);
  const { view = 'active', q = '' } = search;
  const go = (next: CampaignsSearch, replace = false) =>
    void navigate({ to: '/campaigns', search: next, replace });
  useKeys([{ keys: '/', label: words.filterKey, group: 'Lists', run: () => field.current?.focus() }]);
  const campaigns = list.data?.pages.flatMap((page) => page.campaigns) ?? [];
  const total = list.data?.pages[0]?.total_count ?? 0;
  return (
    <div className="page-body campaigns-page">
      <header className="page-head">
        <h1>
          {words.title} {list.data && <span className="count">{number(total)}</span>}
        </h1>
        <div className="grow" />
        <button
          type="button"
          className="primary"
          disabled={missing !== undefined}
          title={missing}
          onClick={() => setMaking(true)}
        >
          <Plus size={15} aria-hidden /> {makeCampaignWords.title}
        </button>
      </header>
      <div className="campaign-filter">
        <nav className="tabs" aria-label={words.view}>
          {campaignViews.map((one) => (
            <Link
              key={one}
              to="/campaigns"
              search={searchOf(one, q)}
              aria-current={view === one ? 'page' : undefined}
              activeOptions={{ exact: true, includeSearch: true }}
            >
              {words.views[one]}
            </Link>
          ))}
        </nav>
        <input
          ref={field}
          type="search"
          aria-label={words.filter}
          placeholder={words.filter}
          maxLength={200}
          value={q}
          onChange={({ target: { value } }) => go(searchOf(view, value), true)}
        />
      </div>
      {list.isPending && <Skeletons count={6} label={words.loading} />}
      {list.isError && <Failure error={list.error} what={words.thing} retry={() => void list.refetch()} />}
      {list.data && campaigns.length === 0 && <NoCampaigns view={view} isFiltered={q !== ''} />}
      {campaigns.length > 0 && <CampaignTable campaigns={campaigns} />}
      {list.hasNextPage && (
        <button type="button" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {words.showMore(total - campaigns.length)}
        </button>
      )}
      {isMaking && <MakeCampaign close={() => setMaking(false)} />}
    </div>
  );
}

function searchOf(view: CampaignsView, q: string): CampaignsSearch {
  return { ...(view !== 'active' && { view }), ...(q !== '' && { q }) };
}

function NoCampaigns({ view, isFiltered }: { view: CampaignsView; isFiltered: boolean }) {
  if (isFiltered || view !== 'active') {
    const titles = { active: words.noneMatch, followed: words.emptyFollowed, closed: words.emptyClosed };
    return (
      <Empty title={isFiltered ? words.noneMatch : titles[view]}>
        {view === 'followed' && !isFiltered && <p>{words.emptyFollow}</p>}
        <Link to="/campaigns" search={{}} className="button">
          {words.showAll}
        </Link>
      </Empty>
    );
  }
  return (
    <Empty title={words.empty}>
      <p>{words.emptyHint}</p>
      <p>{words.emptyFollow}</p>
      <Link to="/triage" className="button">
        {words.toTriage}
      </Link>
    </Empty>
  );
}

function CampaignTable({ campaigns }: { campaigns: readonly Campaign[] }) {
  const { columns } = words;
  return (
    <WideTable label={words.title} panel>
      <table className="data-table campaign-table">
        <TableHead
          columns={[
            columns.name,
            { label: columns.members, number: true },
            columns.latest,
            columns.links,
            columns.risk,
          ]}
        />
        <tbody>
          {campaigns.map((campaign) => (
            <CampaignLine key={campaign.id} campaign={campaign} />
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

function CampaignLine({ campaign }: { campaign: Campaign }) {
  const { id, name, followed, links, member_count, past_member_count, last_joined_date, max_risk_score } =
    campaign;
  return (
    <tr>
      <th scope="row">
        <Link to="/campaigns/$id" params={{ id }} search={{}}>
          <Text of={name} />
        </Link>
        {followed && (
          <span className="followed-mark" title={words.columns.followed}>
            <Bell size={13} role="img" aria-label={words.columns.followed} />
          </span>
        )}
      </th>
      <td className="number">
        {number(member_count)} <span className="narrow-label">{words.domains}</span>
        {past_member_count > 0 && <small className="pale">{words.past(past_member_count)}</small>}
      </td>
      <td>
        <Ago at={last_joined_date} suffix={timeWords.ago} />
      </td>
      <td>
        {links.length === 0 ? (
          <span className="pale">{words.noLinks}</span>
        ) : (
          <LinkList links={links} isPart />
        )}
      </td>
      <td>
        <Risk score={max_risk_score} status={null} />
      </td>
    </tr>
  );
}
