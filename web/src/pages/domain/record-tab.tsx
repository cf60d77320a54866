import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type DomainRecordAt, useHistory, useRecordAt } from '../../data/domain.ts';
import { wordsOfField } from '../../data/field-words.ts';
import { Empty, Failure, Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago, Moment } from '../../parts/time.tsx';
import { Value } from '../../parts/value.tsx';
import { WideTable } from '../../parts/wide-table.tsx';

/** The record now, or as it was: each field with where it came from and when. */
export function RecordTab({ name, asOf }: { name: string; asOf: string | undefined }) {
  const record = useRecordAt(name, asOf);
  return (
    <>
      <AsOf name={name} asOf={asOf} firstSeen={record.data?.first_seen ?? undefined} />
      {record.isError && (
        <Failure error={record.error} what="The record" retry={() => void record.refetch()} />
      )}
      {record.isPending && <Skeletons count={12} label="the record" />}
      {record.data && !record.isError && <Fields record={record.data} />}
    </>
  );
}

function Fields({ record: { known, fields, complete, first_seen } }: { record: DomainRecordAt }) {
  if (!known)
    return (
      <Empty title="There was no record at that time">
        {first_seen !== null && (
          <p>
            The domain was first seen at <Moment at={first_seen} />.
          </p>
        )}
      </Empty>
    );
  return (
    <>
      {!complete && (
        <p className="banner">
          More changes lie between then and now than one answer goes back through: choose a later time.
        </p>
      )}
      <WideTable label="Fields of the record" panel>
        <table className="data-table record">
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Value</th>
              <th scope="col">Source</th>
              <th scope="col">Confirmed</th>
              <th scope="col">Since</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ field, value, source, at, changed_at }, index) => (
              <tr key={index}>
                <th scope="row">
                  <Text of={wordsOfField(field)} />
                </th>
                <td className="value">
                  <Value of={value} />
                </td>
                <td className="pale">{source === null ? '–' : <Text of={source} />}</td>
                <td className="pale">{at === null ? '–' : <Ago at={at} suffix=" ago" />}</td>
                <td className="pale">{changed_at === null ? '–' : <Ago at={changed_at} suffix=" ago" />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
    </>
  );
}

interface AsOfProps {
  readonly name: string;
  readonly asOf: string | undefined;
  readonly firstSeen: string | undefined;
}

/** Steps through the moments at which something changed, from when the domain was first seen. */
function AsOf({ name, asOf, firstSeen }: AsOfProps) {
  const navigate = useNavigate();
  const history = useHistory(name, undefined);
  const changes = history.data?.pages.flatMap((page) => page.changes) ?? [];
  const begins = history.hasNextPage ? undefined : firstSeen;
  const times = useMemo(() => {
    const found = [...changes.map(({ at }) => at), ...(begins === undefined ? [] : [begins])];
    return [...new Set(found)].sort();
  }, [changes, begins]);
  if (changes.length === 0) return null;
  const set = (time: string | undefined) =>
    void navigate({
      to: '/domain/$name',
      params: { name },
      search: time === undefined ? { tab: 'record' } : { tab: 'record', as_of: time },
      replace: true,
    });
  const at = asOf === undefined ? times.length : times.findLastIndex((time) => time <= asOf);
  return (
    <div className="as-of">
      <label htmlFor="as-of">As of</label>
      <input
        id="as-of"
        type="range"
        min={0}
        max={times.length}
        step={1}
        value={Math.max(0, at)}
        aria-valuetext={asOf ?? 'now'}
        onChange={({ target }) => set(times[Number(target.value)])}
      />
      <output htmlFor="as-of">{asOf === undefined ? 'now' : <Moment at={asOf} />}</output>
      {asOf !== undefined && (
        <button type="button" onClick={() => set(undefined)}>
          Now
        </button>
      )}
      {history.hasNextPage && (
        <button
          type="button"
          disabled={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
        >
          Further back
        </button>
      )}
    </div>
  );
}
