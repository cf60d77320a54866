import { Text } from '../../parts/text.tsx';
import { timelineWords as words } from '../../words/passive-dns.ts';
import type { PassiveDnsRecord } from './passive-dns-data.ts';
import { barsOf } from './timeline-bars.ts';

const dayOf = (time: string): string => time.slice(0, 10);

/** Each record as a bar from its first to its last sighting, all on one axis. */
export function Timeline({ records }: { records: readonly PassiveDnsRecord[] }) {
  const { bars, first, last } = barsOf(records);
  return (
    <>
      <p className="pale">
        {words.what(records.length)} {records.some(({ origin }) => origin === 'zone') && words.zone}
      </p>
      <div className="pdns-axis" aria-hidden="true">
        <span>{dayOf(first)}</span>
        <span>{dayOf(last)}</span>
      </div>
      <ol className="pdns-timeline" aria-label={words.label}>
        {bars.map(({ record, left, width }, index) => {
          const when = words.between(dayOf(record.first), dayOf(record.last));
          return (
            <li key={index}>
              <span className="what mono">
                {record.rrname !== null && <Text of={record.rrname} />} <Text of={record.rrtype} />{' '}
                {record.rdata[0] !== undefined && <Text of={record.rdata[0]} />}
                <span className="sr">{when}</span>
              </span>
              <span className="track" title={when} aria-hidden="true">
                <span
                  className={record.origin === 'zone' ? 'sighted zone' : 'sighted'}
                  style={{ left: `${left}%`, width: `${width}%` }}
                />
              </span>
            </li>
          );
        })}
      </ol>
    </>
  );
}
