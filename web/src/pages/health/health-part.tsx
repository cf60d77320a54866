/** One part of the server: its last error in full, what to do, and what it counted in the last hour. */
import '../../styles/health.css';
import { Link, useParams } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { type HealthPart as Part, partId, useHealth } from '../../data/health.ts';
import { spelledOut } from '../../data/unseen.ts';
import { Empty, Failure, Skeletons } from '../../parts/region.tsx';
import { Sparkline } from '../../parts/sparkline.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { kindWords, unitWords, healthWords as words } from '../../words/health.ts';
import { number } from '../../words/language.ts';
import { StateWord } from './state-word.tsx';

export function HealthPart() {
  useTitle(words.title);
  const { part: wanted } = useParams({ from: '/app/health/$part' });
  const health = useHealth();
  const part = health.data?.parts.find((each) => partId(each) === wanted);
  return (
    <div className="page-body health-page">
      <Link to="/health" className="button">
        <ArrowLeft size={15} aria-hidden /> {words.back}
      </Link>
      {health.isPending && <Skeletons count={6} label={words.region} />}
      {health.isError && !health.data && (
        <Failure error={health.error} what={words.what} retry={() => void health.refetch()} />
      )}
      {health.data && !part && <Empty title={words.noSuchPart} />}
      {part && <Shown part={part} />}
    </div>
  );
}

function Shown({ part }: { part: Part }) {
  const { kind, name, state, last_error: error } = part;
  const advice = words.advice(kind, state);
  return (
    <>
      <header className="page-head">
        <h1 className="mono">
          <Text of={name} />
        </h1>
        <StateWord state={state} />
      </header>
      <section className="panel" aria-label={words.lastError}>
        <h2>{words.lastError}</h2>
        {error === null ? (
          <p>{words.noError}</p>
        ) : (
          <p className="part-error-whole">
            <Text of={error} lines />
          </p>
        )}
        <h2>{words.todo}</h2>
        <p>{advice ?? words.nothingToDo}</p>
        {advice !== undefined && <p className="pale">{words.section(kind)}</p>}
      </section>
      <section className="panel" aria-label={words.columns.rate}>
        <h2>{words.columns.rate}</h2>
        <Sparkline days={part.per_minute} label={spelledOut(name)} each="minute" />
        <MinuteTable part={part} />
        <Facts part={part} />
      </section>
    </>
  );
}

function MinuteTable({ part: { per_minute: counts } }: { part: Part }) {
  const { minuteColumns: columns } = words;
  return (
    <details>
      <summary>{words.showTable}</summary>
      <table className="data-table minute-table">
        <TableHead columns={[columns.ago, { label: columns.count, number: true }]} />
        <tbody>
          {counts.toReversed().map((count, ago) => (
            <tr key={ago}>
              <th scope="row">{ago}</th>
              <td className="number">{number(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function Facts({ part }: { part: Part }) {
  const { facts } = words;
  const time = (at: string | null) => (at === null ? words.never : <Ago at={at} />);
  const failures = part.failures_in_row > 0 ? `, ${words.failures(part.failures_in_row)}` : '';
  return (
    <dl className="part-facts">
      <Fact name={facts.kind}>{kindWords[part.kind]}</Fact>
      <Fact name={facts.success}>{time(part.last_success)}</Fact>
      <Fact name={facts.failure}>
        {time(part.last_failure)}
        {failures}
      </Fact>
      <Fact name={facts.total}>
        {number(part.total)} {unitWords[part.unit]}
      </Fact>
      {part.backlog !== null && <Fact name={facts.backlog}>{number(part.backlog)}</Fact>}
      {part.off !== null && (
        <Fact name={facts.off}>
          <Text of={part.off} />
        </Fact>
      )}
      <Fact name={facts.process}>
        <Text of={part.process} />
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
