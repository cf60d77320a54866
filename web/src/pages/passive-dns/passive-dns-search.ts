/** The question and how its answer is shown, all in the address. */
import { definedOnly, oneOf, oneText } from '../../data/address.ts';

export const pdnsViews = ['records', 'timeline', 'calendar', 'summary'] as const;
export type PassiveDnsView = (typeof pdnsViews)[number];

export interface PassiveDnsQuestion {
  readonly name: string;
  readonly side?: 'data';
  readonly type?: string;
  readonly from?: string;
  readonly to?: string;
}

/** Defaults are absent, so that one view has one address. */
export interface PassiveDnsSearchState {
  readonly name?: string;
  readonly side?: 'data';
  readonly type?: string;
  readonly from?: string;
  readonly to?: string;
  readonly view?: Exclude<PassiveDnsView, 'records'>;
  readonly raw?: true;
  readonly sort?: 'name' | 'newest';
  readonly cursor?: string;
  /** The calendar as a table. */
  readonly table?: true;
}

const day = (value: unknown): string | undefined => {
  const text = oneText(value);
  return text !== undefined && /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text))
    ? text
    : undefined;
};

const isSet = (value: unknown): true | undefined =>
  value === true || oneText(value) === '1' ? true : undefined;

export function passiveDnsSearch(raw: Readonly<Record<string, unknown>>): PassiveDnsSearchState {
  const view = oneOf(raw['view'], pdnsViews);
  return definedOnly({
    name: oneText(raw['name']),
    side: oneOf(raw['side'], ['data'] as const),
    type: oneText(raw['type'])?.toUpperCase(),
    from: day(raw['from']),
    to: day(raw['to']),
    view: view === 'records' ? undefined : view,
    raw: isSet(raw['raw']),
    sort: oneOf(raw['sort'], ['name', 'newest'] as const),
    cursor: oneText(raw['cursor']),
    table: isSet(raw['table']),
  });
}

/** The part that is asked, whatever is shown of the answer. */
export function questionOf(search: PassiveDnsSearchState): PassiveDnsQuestion | undefined {
  const { name, side, type, from, to } = search;
  return name === undefined ? undefined : { name, ...definedOnly({ side, type, from, to }) };
}
