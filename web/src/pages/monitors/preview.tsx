import { useState } from 'react';
import { foreign, plain } from '../../data/foreign.ts';
import type { MonitorPreview, PreviewLine } from '../../data/monitors.ts';
import { spelledOut } from '../../data/unseen.ts';
import { Name } from '../../parts/name.tsx';
import { Empty } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { number } from '../../words/language.ts';
import { previewWords as words } from '../../words/monitors.ts';
import { facetWords } from '../../words/triage.ts';

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

  return (
    <>
      <p className="backtest">
        {words.found(days, <b>{number(total)}</b>, total)}
        {excluded > 0 && words.excluded(excluded)}
        {watched > 0 && words.watched(watched)}
        {escalated > 0 && words.escalated(escalated)}.
      </p>
      {!complete && <p className="banner">{words.incomplete(searched_names)}</p>}
      <div className="chips" role="group" aria-label={facetWords.whyMatched}>
        <button type="button" aria-pressed={onlyClass === undefined} onClick={() => setOnlyClass(undefined)}>
          {facetWords.all}
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
      {domains.length === 0 && <Empty title={words.none} />}
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
        <small>{words.leftOutBy(<Text of={excluded_by.exclusion} />)}</small>
      ) : (
        <span className="line-actions">
          {match.class !== 'exact' && (
            <button
              type="button"
              className="ghost"
              title={words.excludeTextHint(spelledOut(foreign(label)))}
              onClick={() => excludeText(label)}
            >
              {words.excludeText}
            </button>
          )}
          {name_server.length > 0 && (
            <button
              type="button"
              className="ghost"
              title={words.excludeNameServersHint(name_server.map(spelledOut))}
              onClick={() => excludeNameServers(name_server.map(plain))}
            >
              {words.excludeNameServers}
            </button>
          )}
        </span>
      )}
    </li>
  );
}
