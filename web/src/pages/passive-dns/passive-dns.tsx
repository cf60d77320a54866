/** Passive DNS: one field for every kind of question, and the answer as records, timeline, calendar or figures. */
import '../../styles/passive-dns.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { foreign } from '../../data/foreign.ts';
import { spelledOut } from '../../data/unseen.ts';
import { Empty, Skeletons } from '../../parts/region.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { passiveDnsWords as words } from '../../words/passive-dns.ts';
import { CalendarView } from './calendar-view.tsx';
import { usePassiveDnsRecords } from './passive-dns-data.ts';
import {
  type PassiveDnsQuestion,
  type PassiveDnsSearchState,
  type PassiveDnsView,
  pdnsViews,
  questionOf,
} from './passive-dns-search.ts';
import { QuestionFailure } from './question-failure.tsx';
import { QuestionForm } from './question-form.tsx';
import { QuestionLines } from './question-lines.tsx';
import { Records } from './records.tsx';
import { SummaryView } from './summary-view.tsx';
import { Timeline } from './timeline.tsx';
import { Understood } from './understood.tsx';

export function PassiveDns() {
  const search = useSearch({ from: '/app/pdns' });
  const navigate = useNavigate();
  const question = questionOf(search);
  useTitle(question ? `${words.title}: ${spelledOut(foreign(question.name))}` : words.title);
  const go = (next: PassiveDnsSearchState) => void navigate({ to: '/pdns', search: next });
  return (
    <div className="page-body pdns-page">
      <header className="page-head">
        <h1>{words.title}</h1>
      </header>
      <QuestionForm
        key={JSON.stringify(question)}
        search={search}
        ask={(asked) => {
          const { view, raw, sort } = search;
          go({ ...asked, ...(view ? { view } : {}), ...(raw ? { raw } : {}), ...(sort ? { sort } : {}) });
        }}
      />
      {question ? <Answer search={search} question={question} go={go} /> : <Start />}
    </div>
  );
}

function Start() {
  return (
    <section className="panel">
      <h2>{words.start}</h2>
      <dl className="pdns-examples">
        {words.examples.map(({ text, means }) => (
          <Example key={text} text={text} means={means} />
        ))}
      </dl>
      <p className="pale">{words.startHint}</p>
    </section>
  );
}

function Example({ text, means }: { text: string; means: string }) {
  return (
    <>
      <dt>
        <Link to="/pdns" search={{ name: text }} className="mono">
          {text}
        </Link>
      </dt>
      <dd>{means}</dd>
    </>
  );
}

interface AnswerProps {
  readonly search: PassiveDnsSearchState;
  readonly question: PassiveDnsQuestion;
  readonly go: (search: PassiveDnsSearchState) => void;
}

function Answer({ search, question, go }: AnswerProps) {
  const { view = 'records' } = search;
  const { cursor: _cursor, view: _view, ...rest } = search;
  return (
    <>
      <nav className="tabs" aria-label={words.viewsLabel}>
        {pdnsViews.map((one) => (
          <Link
            key={one}
            to="/pdns"
            search={one === 'records' ? rest : { ...rest, view: one }}
            aria-current={one === view ? 'page' : undefined}
            activeOptions={{ exact: true }}
          >
            {words.views[one]}
          </Link>
        ))}
      </nav>
      <View view={view} search={search} question={question} go={go} />
    </>
  );
}

function View({ view, search, question, go }: AnswerProps & { view: PassiveDnsView }) {
  if (view === 'calendar') return <CalendarView question={question} search={search} />;
  if (view === 'summary') return <SummaryView question={question} />;
  return <RecordsView search={search} question={question} go={go} asTimeline={view === 'timeline'} />;
}

function RecordsView({ search, question, go, asTimeline }: AnswerProps & { asTimeline: boolean }) {
  const { raw, sort, cursor } = search;
  const page = {
    ...question,
    ...(raw ? { raw } : {}),
    ...(sort ? { sort } : {}),
    ...(cursor === undefined ? {} : { cursor }),
  };
  const found = usePassiveDnsRecords(page, true);
  if (found.isError) return <QuestionFailure error={found.error} retry={() => void found.refetch()} />;
  if (!found.data) return <Skeletons count={10} label={words.loading} />;
  const { records, question: asked, quota } = found.data;
  return (
    <>
      <section className="panel">
        <Understood question={asked} quota={quota} />
        {records.length === 0 ? (
          <Empty title={words.none}>
            <p>{words.noneHint}</p>
          </Empty>
        ) : asTimeline ? (
          <Timeline records={records} />
        ) : (
          <Records found={found.data} search={search} go={go} />
        )}
      </section>
      <QuestionLines question={asked} />
    </>
  );
}
