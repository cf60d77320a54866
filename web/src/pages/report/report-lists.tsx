/** The most frequent values among what was found, and pictures of what was blocked. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { foreign, plain } from '../../data/foreign.ts';
import type { Report } from '../../data/report.ts';
import { defang } from '../../names/defang.ts';
import { Picture } from '../../parts/picture.tsx';
import { Text } from '../../parts/text.tsx';
import { Moment } from '../../parts/time.tsx';
import { number } from '../../words/language.ts';
import { classSentence, reportWords as words } from '../../words/report.ts';

const shown = ['registrars', 'networks', 'countries', 'tlds', 'name_servers'] as const;
const picture = { width: 320, height: 200 } as const;

export function TopLists({ report }: { report: Report }) {
  const { top } = words;
  const most = Math.max(1, report.found);
  return (
    <div className="top-lists">
      <TopList title={top.classes} isEmpty={report.classes.length === 0}>
        {report.classes.map(({ class: name, domains }) => (
          <TopValue key={name} domains={domains} most={most}>
            {classSentence(name)}
          </TopValue>
        ))}
      </TopList>
      {shown.map((kind) => (
        <TopList
          key={kind}
          title={top[kind]}
          isEmpty={report[kind].length === 0}
          note={
            kind === 'networks' && report.networks_of < report.found
              ? words.networksOf(report.networks_of)
              : undefined
          }
        >
          {report[kind].map(({ value, domains }) => (
            <TopValue key={plain(value)} domains={domains} most={most}>
              <Text of={value} />
            </TopValue>
          ))}
        </TopList>
      ))}
    </div>
  );
}

interface TopListProps {
  readonly title: string;
  readonly isEmpty: boolean;
  readonly note?: string | undefined;
  readonly children: ReactNode;
}

function TopList({ title, isEmpty, note, children }: TopListProps) {
  return (
    <section className="panel top-list" aria-label={title}>
      <h2>{title}</h2>
      {note !== undefined && <p className="pale">{note}</p>}
      {isEmpty ? <p className="pale">{words.nothing}</p> : <ol>{children}</ol>}
    </section>
  );
}

function TopValue({ domains, most, children }: { domains: number; most: number; children: ReactNode }) {
  return (
    <li>
      <span>{children}</span>
      <span className="number">{number(domains)}</span>
      <meter aria-hidden min={0} max={most} value={domains} />
    </li>
  );
}

export function BlockedWall({ report }: { report: Report }) {
  const { blocked_domains: domains, blocked } = report;
  if (domains.length === 0) return null;
  return (
    <section className="panel" aria-label={words.wall}>
      <h2>{words.wall}</h2>
      {domains.length < blocked && <p className="pale">{words.wallMore(domains.length, blocked)}</p>}
      <ul className="report-wall">
        {domains.map(({ id, domain, at, picture: taken }) => (
          <li key={id}>
            <Picture picture={taken} of={domain} {...picture} brief />
            <Link to="/domain/$name" params={{ name: plain(domain) }} className="mono">
              <Text of={foreign(defang(plain(domain)))} />
            </Link>
            <small>
              {words.blockedOn} <Moment at={at} />
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}
