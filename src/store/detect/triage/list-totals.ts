/** Counts of lists from counts by monitor and day. */
import { type ListCounts, type TriageList, triageLists, type ValueCount } from '../../triage-store.ts';

/** Of the domains that a monitor matched, those of one day, or those of no day of the series. */
export type DayRow = ListCounts & {
  readonly number: number;
  readonly day: number | null;
  readonly domains: number;
};

export function totalsOf(rows: readonly ListCounts[]): ListCounts {
  const totals: Record<TriageList, number> = { new: 0, changed: 0, watched: 0, ignored: 0, blocked: 0 };
  for (const row of rows) for (const list of triageLists) totals[list] += row[list];
  return totals;
}

export function daysOf(rows: readonly DayRow[], days: number): readonly number[] {
  const series = new Array<number>(days).fill(0);
  for (const { day, domains } of rows) if (day !== null) series[day] = domains;
  return series;
}

export type ValueRow = Omit<ValueCount, 'averageRisk'> & { readonly averageRisk: number | null };

export function valueCountOf({ averageRisk, ...rest }: ValueRow): ValueCount {
  return { ...rest, averageRisk: averageRisk === null ? undefined : Math.round(averageRisk) };
}
