/** When the domains of a campaign appeared, and when the values that they share were in use. */
import { type Campaign, drawnMembers, useMembers, useTimeline } from '../../../data/campaign/campaigns.ts';
import { Failure, Skeletons } from '../../../parts/region.tsx';
import { timelineWords as words } from '../../../words/campaigns/campaign-words.ts';
import { TimelineChart } from './timeline-chart.tsx';
import { TimelineTable } from './timeline-table.tsx';

export function TimelineTab({ campaign: { id, links } }: { campaign: Campaign }) {
  const timeline = useTimeline(id);
  const members = useMembers(id, drawnMembers);
  if (timeline.isError || members.isError)
    return (
      <Failure
        error={timeline.error ?? members.error}
        what={words.thing}
        retry={() => void Promise.all([timeline.refetch(), members.refetch()])}
      />
    );
  if (timeline.isPending || members.isPending) return <Skeletons count={10} label={words.loading} />;
  const { events, truncated } = timeline.data;
  const { members: drawn, total } = members.data;
  return (
    <section className="panel campaign-timeline" aria-label={words.label}>
      {truncated && <p className="banner">{words.truncated}</p>}
      {drawn.length < total && <p className="banner">{words.onlySome(drawn.length, total)}</p>}
      <TimelineChart events={events} links={links} members={drawn} />
      <TimelineTable events={events} />
    </section>
  );
}
