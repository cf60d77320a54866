import { Link } from '@tanstack/react-router';
import { plain } from '../../data/foreign.ts';
import { HeatMap } from '../../parts/heat-map.tsx';
import { Empty, Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { WideTable } from '../../parts/wide-table.tsx';
import { number } from '../../words/language.ts';
import { passiveDnsWords, calendarWords as words } from '../../words/passive-dns.ts';
import { type PassiveDnsCalendar, usePassiveDnsCalendar } from './passive-dns-data.ts';
import type { PassiveDnsQuestion, PassiveDnsSearchState } from './passive-dns-search.ts';
import { QuestionFailure } from './question-failure.tsx';
import { QuestionLines } from './question-lines.tsx';
import { Understood } from './understood.tsx';

interface CalendarViewProps {
  readonly question: PassiveDnsQuestion;
  readonly search: PassiveDnsSearchState;
}

export function CalendarView({ question, search }: CalendarViewProps) {
  const found = usePassiveDnsCalendar(question);
  if (found.isError) return <QuestionFailure error={found.error} retry={() => void found.refetch()} />;
  if (!found.data) return <Skeletons count={5} label={passiveDnsWords.loading} />;
  const { table: asTable, ...asMap } = search;
  const { days, complete } = found.data;
  return (
    <>
      <section className="panel">
        <h2>{words.heading}</h2>
        <Understood question={found.data.question} quota={found.data.quota} />
        {!complete && <p className="banner">{words.part}</p>}
        {days.length === 0 ? (
          <Empty title={words.none}>
            <p>{words.noneHint}</p>
          </Empty>
        ) : (
          <>
            {asTable ? <DayTable days={days} /> : <DayMap calendar={found.data} />}
            <p className="pale">{words.meaning}</p>
            <Link to="/pdns" search={asTable ? asMap : { ...asMap, table: true }} className="button">
              {asTable ? words.asMap : words.asTable}
            </Link>
          </>
        )}
      </section>
      <QuestionLines question={found.data.question} />
    </>
  );
}

function DayMap({ calendar: { from, to, days } }: { calendar: PassiveDnsCalendar }) {
  const until = plain(to);
  const certain = days.filter(({ seen }) => seen > 0).length;
  return (
    <HeatMap
      from={from}
      to={until}
      label={words.label(certain, from, until)}
      days={days.map(({ day, seen, count, possible }) => ({
        day: plain(day),
        value: seen,
        title: words.day(plain(day), seen, count, possible),
      }))}
    />
  );
}

function DayTable({ days }: { days: PassiveDnsCalendar['days'] }) {
  const { columns } = words;
  return (
    <WideTable label={words.heading}>
      <table className="data-table">
        <thead>
          <tr>
            <th scope="col">{columns.day}</th>
            {[columns.seen, columns.count, columns.possible, columns.first].map((text) => (
              <th key={text} scope="col" className="number">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ day, seen, count, possible, first }) => (
            <tr key={plain(day)}>
              <th scope="row">
                <Text of={day} />
              </th>
              {[seen, count, possible, first].map((value, index) => (
                <td key={index} className="number">
                  {number(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}
