/** What the report is about, in its address: a link of a mail opens the very same page. */
import { definedOnly, oneText } from '../../data/address.ts';

export interface ReportSearch {
  readonly monitor?: string;
  /** Days; `to` is not part of the period. Without both: the last 30 days. */
  readonly from?: string;
  readonly to?: string;
}

const day = (value: unknown): string | undefined => {
  const text = oneText(value);
  return text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) ? text : undefined;
};

export function reportSearch(raw: Readonly<Record<string, unknown>>): ReportSearch {
  return definedOnly({ monitor: oneText(raw['monitor']), from: day(raw['from']), to: day(raw['to']) });
}

export interface Month {
  readonly from: string;
  readonly to: string;
}

/** The month of a time and those before it, newest first. */
export function monthsUntil(now: Date, count: number): readonly Month[] {
  return Array.from({ length: count }, (_, ago) => ({
    from: dayText(now, -ago),
    to: dayText(now, 1 - ago),
  }));
}

function dayText(now: Date, monthsAway: number): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + monthsAway, 1))
    .toISOString()
    .slice(0, 10);
}
