import { useNavigate } from '@tanstack/react-router';
import { Binary } from 'lucide-react';
import { useMemo, useState } from 'react';
import { type DomainRecordAt, useHistory, useOverview, useRecordAt } from '../../data/domain.ts';
import { wordsOfField } from '../../data/field-words.ts';
import { plain } from '../../data/foreign.ts';
import { spelledOut } from '../../data/unseen.ts';
import { Empty, Failure, Skeletons } from '../../parts/region.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago, Moment } from '../../parts/time.tsx';
import { Value } from '../../parts/value.tsx';
import { WideTable } from '../../parts/wide-table.tsx';
import { answerWords, recordWords as words } from '../../words/domain.ts';
import { timeWords } from '../../words/parts.ts';
import { AnswerDialog } from './answer-dialog.tsx';

/** The record now, or as it was: each field with where it came from and when. */
export function RecordTab({ name, asOf }: { name: string; asOf: string | undefined }) {
  const record = useRecordAt(name, asOf);
  // Not of the record that is read for every step: the positions of the slider must not change under the hand.
  const overview = useOverview(name).data;
  return (
    <>
      {overview && <AsOf name={name} asOf={asOf} firstSeen={overview.summary?.first_seen ?? undefined} />}
      {record.isError && (
        <Failure error={record.error} what={words.theRecord} retry={() => void record.refetch()} />
      )}
      {record.isPending && <Skeletons count={12} label={words.loading} />}
      {record.data && !record.isError && <Fields record={record.data} name={name} asOf={asOf} />}
    </>
  );
}

interface FieldsProps {
  readonly record: DomainRecordAt;
  readonly name: string;
  readonly asOf: string | undefined;
}

function Fields({ record: { known, fields, complete, first_seen }, name, asOf }: FieldsProps) {
  const [shown, setShown] = useState<{ readonly field: string; readonly source: string }>();
  if (!known)
    return (
      <Empty title={words.notThen}>
        {first_seen !== null && <p>{words.firstSeen(<Moment at={first_seen} />)}</p>}
      </Empty>
    );
  return (
    <>
      {!complete && <p className="banner">{words.incomplete}</p>}
      <WideTable label={words.fields} panel>
        <table className="data-table record">
          <TableHead
            columns={[
              words.field,
              words.value,
              words.source,
              words.confirmed,
              words.since,
              { unseen: words.bytes },
            ]}
          />
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
                <td className="pale">{at === null ? '–' : <Ago at={at} suffix={timeWords.ago} />}</td>
                <td className="pale">
                  {changed_at === null ? '–' : <Ago at={changed_at} suffix={timeWords.ago} />}
                </td>
                <td>
                  {source !== null && (
                    <button
                      type="button"
                      className="ghost"
                      aria-label={answerWords.showOf(spelledOut(wordsOfField(field)))}
                      title={answerWords.show}
                      onClick={() =>
                        setShown({ field: spelledOut(wordsOfField(field)), source: plain(source) })
                      }
                    >
                      <Binary size={15} aria-hidden />
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
      {shown && (
        <AnswerDialog name={name} {...shown} isPast={asOf !== undefined} close={() => setShown(undefined)} />
      )}
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
      <label htmlFor="as-of">{words.asOf}</label>
      <input
        id="as-of"
        type="range"
        min={0}
        max={times.length}
        step={1}
        value={Math.max(0, at)}
        aria-valuetext={asOf ?? words.now}
        onChange={({ target }) => set(times[Number(target.value)])}
      />
      <output htmlFor="as-of">{asOf === undefined ? words.now : <Moment at={asOf} />}</output>
      {asOf !== undefined && (
        <button type="button" onClick={() => set(undefined)}>
          {words.toNow}
        </button>
      )}
      {history.hasNextPage && (
        <button
          type="button"
          disabled={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
        >
          {words.furtherBack}
        </button>
      )}
    </div>
  );
}
