import { useState } from 'react';
import { foreign, plain } from '../../data/foreign.ts';
import type { MonitorPreview, PreviewLine } from '../../data/monitors.ts';
import { spelledOut } from '../../data/unseen.ts';
import { Name } from '../../parts/name.tsx';
import { Empty } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';

interface PreviewProps {
  readonly preview: MonitorPreview;
  readonly excludeText: (text: string) => void;
  readonly excludeNameServers: (hosts: readonly string[]) => void;
}

/** What the monitor would have found in the names of the last days. Lines that an exclusion leaves out are struck, not dropped. */
export function Preview({ preview, excludeText, excludeNameServers }: PreviewProps) {
  const [onlyClass, setOnlyClass] = useState<string>();
  const { days, total, excluded, complete, searched_names, class_counts, watched, escalated, domains } =
    preview;
  const classes = Object.entries(class_counts).sort(([, a], [, b]) => b - a);
  const shown = onlyClass === undefined ? domains : domains.filter(({ match }) => match.class === onlyClass);
  const number = (count: number) => count.toLocaleString('en');
  return (
    <>
      <p className="backtest">
        In the last {days} days: <b>{number(total)}</b> {total === 1 ? 'name' : 'names'}
        {excluded > 0 && <>, {number(excluded)} left out by exclusions</>}
        {watched > 0 && <>, {number(watched)} of them watched</>}
        {escalated > 0 && <>, {number(escalated)} escalated</>}.
      </p>
      {!complete && (
        <p className="banner">
          Only the newest {number(searched_names)} names were searched; older ones may match, too.
        </p>
      )}
      <div className="chips" role="group" aria-label="Why matched">
        <button type="button" aria-pressed={onlyClass === undefined} onClick={() => setOnlyClass(undefined)}>
          all
        </button>
        {classes.map(([name, count]) => (
          <button
            key={name}
            type="button"
            aria-pressed={onlyClass === name}
            onClick={() => setOnlyClass(onlyClass === name ? undefined : name)}
          >
            {name} <span>{number(count)}</span>
          </button>
        ))}
      </div>
      {domains.length === 0 && <Empty title="No name of these days matches" />}
      <ul className="preview-lines">
        {shown.map((line) => (
          <Line
            key={plain(line.punycode)}
            line={line}
            excludeText={excludeText}
            excludeNameServers={excludeNameServers}
          />
        ))}
      </ul>
    </>
  );
}

interface LineProps extends Pick<PreviewProps, 'excludeText' | 'excludeNameServers'> {
  readonly line: PreviewLine;
}

function Line({ line, excludeText, excludeNameServers }: LineProps) {
  const { domain, match, first_seen, excluded_by, name_server } = line;
  const label = plain(domain).split('.')[0] ?? '';
  return (
    <li className={excluded_by ? 'struck' : undefined}>
      <Name host={match.host} match={match} />
      <span className="chip">{match.class}</span>
      <time dateTime={first_seen}>{first_seen}</time>
      {excluded_by ? (
        <small>
          left out by <Text of={excluded_by.exclusion} />
        </small>
      ) : (
        <span className="line-actions">
          {match.class !== 'exact' && (
            <button
              type="button"
              className="ghost"
              title={`Leaves out names with "${spelledOut(foreign(label))}"`}
              onClick={() => excludeText(label)}
            >
              Exclude text
            </button>
          )}
          {name_server.length > 0 && (
            <button
              type="button"
              className="ghost"
              title={`Leaves out domains with ${name_server.map(spelledOut).join(' or ')}`}
              onClick={() => excludeNameServers(name_server.map(plain))}
            >
              Exclude name servers
            </button>
          )}
        </span>
      )}
    </li>
  );
}
