/** One campaign: its timeline, the graph of its domains and the values that they share, and both as tables. */
import '../../styles/campaigns.css';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { type Campaign, useCampaign } from '../../data/campaign/campaigns.ts';
import { ServerError } from '../../data/request.ts';
import { spelledOut } from '../../data/unseen.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { Empty, Failure, Skeletons } from '../../parts/region.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { campaignGraphWords, campaignWords as words } from '../../words/campaigns/campaign-words.ts';
import { number } from '../../words/language.ts';
import { CampaignHead } from './campaign-head.tsx';
import { type CampaignTab, campaignTabs } from './campaigns-search.ts';
import { MembersTab } from './members-tab.tsx';
import { TimelineTab } from './timeline/timeline-tab.tsx';
import { ValuesTab } from './values-tab.tsx';

/** It brings a library for drawing. */
const CampaignGraph = lazy(async () => ({ default: (await import('./campaign-graph.tsx')).CampaignGraph }));

export function CampaignPage() {
  const { id } = useParams({ from: '/app/campaigns/$id' });
  const campaign = useCampaign(id);
  useTitle(campaign.data ? words.titleOf(spelledOut(campaign.data.name)) : words.kind);
  if (campaign.isPending)
    return (
      <div className="page-body campaign-page">
        <Skeletons count={10} label={words.loading} />
      </div>
    );
  if (campaign.isError) return <NotShown error={campaign.error} retry={() => void campaign.refetch()} />;
  return <OneCampaign campaign={campaign.data} />;
}

function NotShown({ error, retry }: { error: Error; retry: () => void }) {
  const isGone = error instanceof ServerError && error.status === 404;
  return (
    <div className="page-body campaign-page">
      {isGone ? (
        <Empty title={words.gone}>
          <p>{words.goneHint}</p>
          <Link to="/campaigns" search={{}} className="button">
            {words.toList}
          </Link>
        </Empty>
      ) : (
        <Failure error={error} what={words.thing} retry={retry} />
      )}
    </div>
  );
}

function OneCampaign({ campaign }: { campaign: Campaign }) {
  const { id, links, member_count } = campaign;
  const { tab = 'timeline' } = useSearch({ from: '/app/campaigns/$id' });
  const navigate = useNavigate();
  const searchOf = (one: CampaignTab) => (one === 'timeline' ? {} : { tab: one });
  useKeys(
    campaignTabs.map((one, index) => ({
      keys: String(index + 1),
      label: words.tabKey(words.tabs[one]),
      group: 'Lists' as const,
      run: () => void navigate({ to: '/campaigns/$id', params: { id }, search: searchOf(one) }),
    })),
  );
  const shown: Readonly<Record<CampaignTab, () => ReactNode>> = {
    timeline: () => <TimelineTab campaign={campaign} />,
    graph: () => (
      <Suspense fallback={<Skeletons count={8} label={campaignGraphWords.loading} />}>
        <CampaignGraph campaign={campaign} />
      </Suspense>
    ),
    members: () => <MembersTab campaign={campaign} />,
    values: () => <ValuesTab links={links} />,
  };
  const counts = { members: member_count, values: links.length };
  return (
    <div className="page-body campaign-page">
      <CampaignHead key={id} campaign={campaign} />
      <nav className="tabs" aria-label={words.tabsLabel}>
        {campaignTabs.map((one) => (
          <Link
            key={one}
            to="/campaigns/$id"
            params={{ id }}
            search={searchOf(one)}
            aria-current={tab === one ? 'page' : undefined}
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {words.tabs[one]}
            {(one === 'members' || one === 'values') && <span className="count">{number(counts[one])}</span>}
          </Link>
        ))}
      </nav>
      {shown[tab]()}
    </div>
  );
}
