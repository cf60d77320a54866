import { Link } from '@tanstack/react-router';
import { plain } from '../../../data/foreign.ts';
import { Name } from '../../../parts/name.tsx';
import { timelineWords as words } from '../../../words/campaigns/campaign-words.ts';
import type { ChosenDot } from './timeline-chart.tsx';

const domainsShown = 24;

/** What the chosen dot stands for. The place is kept free, so that nothing moves. */
export function DotDetail({ chosen, when }: { chosen: ChosenDot | undefined; when: string }) {
  if (!chosen) return <p className="dot-detail pale">{words.choose}</p>;
  const { domains } = chosen.dot;
  return (
    <div className="dot-detail">
      <p>{words.chosen(<b>{chosen.row.label}</b>, domains.length, when)}</p>
      <ul>
        {domains.slice(0, domainsShown).map((domain) => (
          <li key={plain(domain)}>
            <Link to="/domain/$name" params={{ name: plain(domain) }}>
              <Name host={domain} />
            </Link>
          </li>
        ))}
        {domains.length > domainsShown && (
          <li className="pale">{words.more(domains.length - domainsShown)}</li>
        )}
      </ul>
    </div>
  );
}
