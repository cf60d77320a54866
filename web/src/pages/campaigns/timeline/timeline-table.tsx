/** Everything of the timeline in writing. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { TimelineEvent } from '../../../data/campaign/campaigns.ts';
import { plain } from '../../../data/foreign.ts';
import { Name } from '../../../parts/name.tsx';
import { TableHead } from '../../../parts/table-head.tsx';
import { Moment } from '../../../parts/time.tsx';
import { WideTable } from '../../../parts/wide-table.tsx';
import { eventWords, timelineWords as words } from '../../../words/campaigns/campaign-words.ts';
import { LinkText } from '../link-text.tsx';

const rowsMax = 1000;

export function TimelineTable({ events }: { events: readonly TimelineEvent[] }) {
  const [isOpen, setOpen] = useState(false);
  const { columns } = words;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.table}</summary>
      {isOpen && (
        <WideTable label={words.label}>
          {events.length > rowsMax && <p className="pale">{words.tableMore(rowsMax, events.length)}</p>}
          <table className="data-table">
            <TableHead columns={[columns.date, columns.what, columns.which]} />
            <tbody>
              {events.slice(0, rowsMax).map((event, index) => (
                <tr key={index}>
                  <td>
                    <Moment at={event.date} />
                  </td>
                  <td>{eventWords[event.kind]}</td>
                  <td>
                    <Subject of={event} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </WideTable>
      )}
    </details>
  );
}

function Subject({ of: { domain, by, value } }: { of: TimelineEvent }) {
  if (domain !== undefined)
    return (
      <Link to="/domain/$name" params={{ name: plain(domain) }}>
        <Name host={domain} />
      </Link>
    );
  return by !== undefined && value !== undefined && <LinkText link={{ by, value }} />;
}
