/** What was found, decided and blocked in a period, on one page that prints. */
import '../../styles/report.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Printer } from 'lucide-react';
import { useMonitors } from '../../data/monitors.ts';
import { type Report, useReport } from '../../data/report.ts';
import { spelledOut } from '../../data/unseen.ts';
import { DayBars } from '../../parts/day-bars.tsx';
import { Empty, Failure, Skeletons } from '../../parts/region.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { number } from '../../words/language.ts';
import { reportWords as words } from '../../words/report.ts';
import { BlockedWall, TopLists } from './report-lists.tsx';
import { monthsUntil, type ReportSearch, reportSearch } from './report-search.ts';

const monthsOffered = 12;

export function ReportPage() {
  useTitle(words.title);
  const search = reportSearch(useSearch({ from: '/app/report' }));
  const report = useReport(search);
  return (
    <div className="page-body report-page">
      <header className="page-head controls">
        <h1>{words.title}</h1>
        <div className="grow" />
        <Choices search={search} />
        <button type="button" onClick={() => window.print()}>
          <Printer size={15} aria-hidden /> {words.print}
        </button>
      </header>
      {report.isPending && <Skeletons count={8} label={words.region} />}
      {report.isError && (
        <Failure error={report.error} what={words.what} retry={() => void report.refetch()} />
      )}
      {report.data && <Shown report={report.data} search={search} />}
    </div>
  );
}

function Choices({ search }: { search: ReportSearch }) {
  const navigate = useNavigate();
  const monitors = useMonitors().data?.monitors ?? [];
  const change = (next: ReportSearch) => void navigate({ to: '/report', search: next });
  const months = monthsUntil(new Date(), monthsOffered);
  const { monitor, ...period } = search;
  const chosen = months.find(({ from, to }) => from === period.from && to === period.to);
  const isOther = chosen === undefined && (period.from !== undefined || period.to !== undefined);
  return (
    <>
      <label className="field inline">
        <span>{words.monitor}</span>
        <select
          value={monitor ?? ''}
          onChange={({ target: { value } }) =>
            change({ ...period, ...(value === '' ? {} : { monitor: value }) })
          }
        >
          <option value="">{words.allMonitors}</option>
          {monitors.map(({ id, term }) => (
            <option key={id} value={id}>
              {spelledOut(term)}
            </option>
          ))}
        </select>
      </label>
      <label className="field inline">
        <span>{words.period}</span>
        <select
          value={isOther ? 'other' : (chosen?.from ?? '')}
          onChange={({ target: { value } }) => {
            const month = months.find(({ from }) => from === value);
            change({ ...(monitor === undefined ? {} : { monitor }), ...month });
          }}
        >
          {isOther && <option value="other">{words.chosen}</option>}
          <option value="">{words.lastDays}</option>
          {months.map(({ from }) => (
            <option key={from} value={from}>
              {words.month(from)}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

function Shown({ report, search }: { report: Report; search: ReportSearch }) {
  const days = report.days.map(({ at }) => at);
  const term = report.monitor === null ? undefined : spelledOut(report.monitor);
  return (
    <>
      <header className="report-head">
        <h2>{words.heading(term)}</h2>
        <p>{words.between(report.from, days.length)}</p>
      </header>
      <Figures report={report} />
      {report.open > 0 && (
        <Link
          to="/triage"
          search={search.monitor === undefined ? {} : { monitor: [search.monitor] }}
          className="button screen"
        >
          {words.toOpen(report.open)}
        </Link>
      )}
      {report.found + report.decided + report.blocked === 0 ? (
        <Empty title={words.empty}>
          <p>{words.emptyHint}</p>
        </Empty>
      ) : (
        <>
          <section className="panel" aria-label={words.daily}>
            <h2>{words.daily}</h2>
            <DayBars
              label={words.bars(words.figures.found, report.found, days.length)}
              days={days}
              series={[
                { name: words.figures.found, counts: report.days.map(({ found }) => found) },
                { name: words.figures.blocked, counts: report.days.map(({ blocked }) => blocked) },
              ]}
            />
          </section>
          <TopLists report={report} />
          <BlockedWall report={report} />
        </>
      )}
    </>
  );
}

function Figures({ report }: { report: Report }) {
  const { figures, explained } = words;
  const after = (hours: number | null, what: string) =>
    hours === null ? undefined : `${words.duration(hours)} ${what}`;
  return (
    <dl className="figures">
      {(['found', 'decided', 'blocked', 'open'] as const).map((kind) => (
        <div key={kind}>
          <dt>{figures[kind]}</dt>
          <dd>
            {number(report[kind])}
            <small>{explained[kind]}</small>
            {kind === 'decided' && <small>{after(report.median_hours_to_decision, words.toDecision)}</small>}
            {kind === 'blocked' && <small>{after(report.median_hours_to_block, words.toBlock)}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
