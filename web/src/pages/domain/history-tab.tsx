import { Link, useNavigate } from '@tanstack/react-router';
import { type Change, useHistory } from '../../data/domain.ts';
import { wordsOfField } from '../../data/field-words.ts';
import { foreign, plain } from '../../data/foreign.ts';
import { usePreferences } from '../../data/me.ts';
import { spelledOut } from '../../data/unseen.ts';
import { componentWord } from '../../parts/reasons.tsx';
import { Empty, Failure, Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { Value } from '../../parts/value.tsx';
import { historyWords as words } from '../../words/domain.ts';
import { changedLines } from './changed-lines.ts';

/** What changed, by day, newest first: only the parts that differ, with what they were before. */
export function HistoryTab({ name, field }: { name: string; field: string | undefined }) {
  const history = useHistory(name, field);
  const { zone } = usePreferences();
  const changes = history.data?.pages.flatMap((page) => page.changes) ?? [];
  const days = Map.groupBy(changes, ({ at }) => dayOf(at, zone));
  return (
    <>
      <FieldFilter name={name} field={field} fields={history.data?.pages[0]?.fields ?? []} />
      {history.isPending && <Skeletons count={8} label={words.loading} />}
      {history.isError && (
        <Failure error={history.error} what={words.theHistory} retry={() => void history.refetch()} />
      )}
      {history.data && changes.length === 0 && (
        <Empty title={words.none}>
          <p>{words.noneHint}</p>
        </Empty>
      )}
      {[...days].map(([day, ofDay]) => (
        <section key={day} className="panel day">
          <h2>{day}</h2>
          <ol className="moments">
            {[
              ...Map.groupBy(ofDay, ({ at, source, field: member }) => JSON.stringify([at, source, member])),
            ].map(([key, together]) => (
              <Together key={key} changes={together} name={name} zone={zone} />
            ))}
          </ol>
        </section>
      ))}
      {history.hasNextPage && (
        <button
          type="button"
          className="earlier"
          disabled={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
        >
          {words.earlier}
        </button>
      )}
    </>
  );
}

interface FieldFilterProps {
  readonly name: string;
  readonly field: string | undefined;
  readonly fields: readonly Change['field'][];
}

function FieldFilter({ name, field, fields }: FieldFilterProps) {
  const navigate = useNavigate();
  if (fields.length < 2 && field === undefined) return null;
  return (
    <label className="field inline">
      {words.changesOf}
      <select
        value={field ?? ''}
        onChange={({ target }) =>
          void navigate({
            to: '/domain/$name',
            params: { name },
            search: target.value === '' ? { tab: 'history' } : { tab: 'history', field: target.value },
            replace: true,
          })
        }
      >
        <option value="">{words.everything}</option>
        {fields.map((one) => (
          <option key={plain(one)} value={plain(one)}>
            {spelledOut(wordsOfField(one))}
          </option>
        ))}
      </select>
    </label>
  );
}

interface TogetherProps {
  readonly changes: readonly Change[];
  readonly name: string;
  readonly zone: 'local' | 'utc';
}

/** What one source found changed in one member of the record at one time. */
function Together({ changes, name, zone }: TogetherProps) {
  const [first] = changes;
  if (!first) return null;
  const { at, field, source } = first;
  return (
    <li>
      <Link
        to="/domain/$name"
        params={{ name }}
        search={{ tab: 'record', as_of: at }}
        title={words.recordAsOf(at)}
      >
        <time dateTime={at}>{clockOf(at, zone)}</time>
      </Link>
      <div>
        <h3>
          <Text of={wordsOfField(field)} /> <small>{words.by(<Text of={source} />)}</small>
        </h3>
        <Leaves changes={changes.slice(0, leavesShown)} />
        {changes.length > leavesShown && (
          <details>
            <summary>{words.more(changes.length - leavesShown)}</summary>
            <Leaves changes={changes.slice(leavesShown)} />
          </details>
        )}
      </div>
    </li>
  );
}

const leavesShown = 8;

const Leaves = ({ changes }: { changes: readonly Change[] }) => (
  <ul className="leaves">
    {changes.map((change, index) => (
      <Leaf key={index} change={change} />
    ))}
  </ul>
);

const linesMax = 30;

/** Where in the member; the parts of the score are called as on the other pages. */
const partOf = ({ field, leaf }: Change): string =>
  plain(field) === 'domain_risk'
    ? plain(leaf)
        .replace(/^components /, '')
        .split(' ')
        .map(componentWord)
        .join(' ')
    : plain(leaf).replaceAll('_', ' ');

function Leaf({ change }: { change: Change }) {
  const { before, after } = change;
  const part = partOf(change);
  if (isLong(before) && isLong(after)) {
    const lines = changedLines(String(before), String(after));
    return (
      <li className="line-diff">
        {part !== '' && <Part of={part} />}
        {lines.before.slice(0, linesMax).map((line, index) => (
          <del key={index}>
            <Text of={foreign(line)} />
          </del>
        ))}
        {lines.after.slice(0, linesMax).map((line, index) => (
          <ins key={index}>
            <Text of={foreign(line)} />
          </ins>
        ))}
        {lines.before.length + lines.after.length === 0 && <small>{words.otherOrder}</small>}
      </li>
    );
  }
  return (
    <li>
      {part !== '' && <Part of={part} />}
      {!isNothing(before) && (
        <del>
          <Value of={before} />
        </del>
      )}
      {!isNothing(after) && (
        <ins>
          <Value of={after} />
        </ins>
      )}
    </li>
  );
}

const Part = ({ of }: { of: string }) => (
  <small>
    <Text of={foreign(of)} />
  </small>
);

const isLong = (value: unknown): boolean => typeof value === 'string' && value.includes('\n');
const isNothing = (value: unknown): boolean => value === null || value === undefined || value === '';

function dayOf(iso: string, zone: 'local' | 'utc'): string {
  const options = zone === 'utc' ? { timeZone: 'UTC' } : {};
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', ...options }).format(new Date(iso));
}

function clockOf(iso: string, zone: 'local' | 'utc'): string {
  const options = zone === 'utc' ? { timeZone: 'UTC' } : {};
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', ...options }).format(new Date(iso));
}
