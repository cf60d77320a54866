/** The requests of the last days, by product or by user, as bars or as a table. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { BarChart3, Table2 } from 'lucide-react';
import type { Usage } from '../../../data/account/keys-and-usage.ts';
import { plain } from '../../../data/foreign.ts';
import { spelledOut } from '../../../data/unseen.ts';
import { WideTable } from '../../../parts/wide-table.tsx';
import { productName, quotaWords as words } from '../../../words/account.ts';
import { number } from '../../../words/language.ts';
import { DayBars } from './day-bars.tsx';
import type { QuotaSearch } from './quota-search.ts';

export interface NamedSeries {
  readonly name: string;
  readonly counts: readonly number[];
}

const totalOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

/** Those with requests, the busiest first. */
export function seriesOf(usage: Usage, by: 'product' | 'user'): readonly NamedSeries[] {
  const named =
    by === 'user'
      ? usage.users.map(({ name, days }) => ({
          name: plain(name) === '' ? words.unknownUser : spelledOut(name),
          counts: days,
        }))
      : [
          ...usage.products.map(({ product, days }) => ({
            name: productName(plain(product)),
            counts: days,
          })),
          ...usage.others.map(({ name, days }) => ({ name: productName(plain(name)), counts: days })),
        ];
  return named
    .filter(({ counts }) => totalOf(counts) > 0)
    .toSorted((one, other) => totalOf(other.counts) - totalOf(one.counts));
}

export function UseSeries({ usage }: { usage: Usage }) {
  const search = useSearch({ from: '/app/account/quota' });
  const navigate = useNavigate();
  const go = (next: QuotaSearch) => void navigate({ to: '/account/quota', search: next, replace: true });
  const { as, by } = search;
  const series = seriesOf(usage, by ?? 'product');
  const days = usage.days.map(plain);
  return (
    <section className="panel series">
      <div className="series-head">
        <h2>{words.series}</h2>
        <span className="grow" />
        <label className="field inline">
          {words.by}
          <select
            value={by ?? 'product'}
            onChange={({ target }) => {
              const { by: _before, ...rest } = search;
              go(target.value === 'user' ? { ...rest, by: 'user' } : rest);
            }}
          >
            <option value="product">{words.byProduct}</option>
            <option value="user">{words.byUser}</option>
          </select>
        </label>
        <button
          type="button"
          onClick={() => {
            const { as: _before, ...rest } = search;
            go(as === 'table' ? rest : { ...rest, as: 'table' });
          }}
        >
          {as === 'table' ? <BarChart3 size={15} aria-hidden /> : <Table2 size={15} aria-hidden />}{' '}
          {as === 'table' ? words.asBars : words.asTable}
        </button>
      </div>
      {series.length === 0 && <p className="pale">{words.none}</p>}
      {series.length > 0 && as === 'table' && <SeriesTable series={series} days={days} />}
      {as !== 'table' &&
        series.map(({ name, counts }) => (
          <div key={name} className="series-line">
            <span>
              {name} <small className="pale">{words.total(totalOf(counts))}</small>
            </span>
            <DayBars name={name} days={days} counts={counts} />
          </div>
        ))}
      <p className="pale">
        <small>{words.seriesHint}</small>
      </p>
    </section>
  );
}

function SeriesTable({ series, days }: { series: readonly NamedSeries[]; days: readonly string[] }) {
  return (
    <WideTable label={words.series}>
      <table className="data-table">
        <thead>
          <tr>
            <th scope="col">{words.day}</th>
            {series.map(({ name }) => (
              <th key={name} scope="col" className="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day, back) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              {series.map(({ name, counts }) => (
                <td key={name} className="number">
                  {number(counts[days.length - 1 - back] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}
