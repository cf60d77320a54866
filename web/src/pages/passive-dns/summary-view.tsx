import type { ReactNode } from 'react';
import { Skeletons } from '../../parts/region.tsx';
import { Moment } from '../../parts/time.tsx';
import { number } from '../../words/language.ts';
import { passiveDnsWords, timelineWords, summaryWords as words } from '../../words/passive-dns.ts';
import { usePassiveDnsSummary } from './passive-dns-data.ts';
import type { PassiveDnsQuestion } from './passive-dns-search.ts';
import { QuestionFailure } from './question-failure.tsx';
import { QuestionLines } from './question-lines.tsx';
import { Understood } from './understood.tsx';

export function SummaryView({ question }: { question: PassiveDnsQuestion }) {
  const found = usePassiveDnsSummary(question);
  if (found.isError) return <QuestionFailure error={found.error} retry={() => void found.refetch()} />;
  if (!found.data) return <Skeletons count={3} label={passiveDnsWords.loading} />;
  const { records, count, complete, sensor, zone } = found.data;
  return (
    <>
      <section className="panel">
        <Understood question={found.data.question} quota={found.data.quota} />
        {!complete && <p className="banner">{words.part}</p>}
        <dl className="pdns-figures">
          <Figure name={words.records}>{number(records)}</Figure>
          <Figure name={words.count}>{number(count)}</Figure>
          <Span name={words.sensor} span={sensor} />
          <Span name={words.zone} span={zone} />
        </dl>
      </section>
      <QuestionLines question={found.data.question} />
    </>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="big">{children}</dd>
    </div>
  );
}

function Span({
  name,
  span,
}: {
  name: string;
  span: { readonly first: string; readonly last: string } | null;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {span === null
          ? words.never
          : timelineWords.from(<Moment at={span.first} />, <Moment at={span.last} />)}
      </dd>
    </div>
  );
}
