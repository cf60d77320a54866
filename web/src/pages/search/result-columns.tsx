/** The columns of the result: the domain and its risk first, what was chosen, tags and when it was first seen. */
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type Foreign, foreign, plain } from '../../data/foreign.ts';
import { usePreferences } from '../../data/me.ts';
import type { SearchCell, SearchRow } from '../../data/search.ts';
import type { GridColumn } from '../../parts/data-grid.tsx';
import { Name } from '../../parts/name.tsx';
import { Risk } from '../../parts/risk.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import type { ValueOfField } from '../../parts/value-operations.tsx';
import { number } from '../../words/language.ts';
import { searchWords as words } from '../../words/search.ts';
import { nameOfColumn } from './facet-list.tsx';
import { type SearchSort, type SearchState, usualDirection } from './search-address.ts';

type Sort = SearchState['sort'];

const valuesShown = 2;
const widths: Readonly<Record<string, number>> = { registrar: 230, website_title: 220, 'ssl_info.hash': 200 };
const narrow = /country_code|asn|_date$|duration|not_(?:before|after)$|website_response/;
const widthOf = (column: string): number => widths[column] ?? (narrow.test(column) ? 140 : 180);

interface ResultColumnsOptions {
  readonly chosen: readonly string[];
  readonly sort: Sort;
  readonly setSort: (sort: Sort) => void;
  /** Less is on the screen of a phone. */
  readonly isNarrow: boolean;
}

export function useResultColumns({
  chosen,
  sort,
  setSort,
  isNarrow,
}: ResultColumnsOptions): readonly GridColumn<SearchRow>[] {
  const { guided_pivot_threshold: threshold } = usePreferences();
  const chosenText = chosen.join('\n');
  return useMemo(() => {
    const sorting = (by: SearchSort) => {
      const isBy = sort ? sort.by === by : by === 'first_seen_since';
      const direction = sort?.direction ?? 'dsc';
      const other = direction === 'asc' ? 'dsc' : 'asc';
      return {
        now: isBy ? (direction === 'asc' ? ('ascending' as const) : ('descending' as const)) : undefined,
        change: () =>
          setSort({ by, direction: isBy ? other : by === 'risk_score' ? 'dsc' : usualDirection(by) }),
      };
    };
    return [
      {
        id: 'domain',
        name: words.columns.domain,
        width: isNarrow ? 190 : 280,
        sort: sorting('domain'),
        cell: (row) => (
          <Link to="/domain/$name" params={{ name: nameOf(row) }} tabIndex={-1} preload={false}>
            <Name host={row.domain} />
          </Link>
        ),
      },
      {
        id: 'risk_score',
        name: words.columns.risk,
        width: 100,
        sort: sorting('risk_score'),
        cell: ({ risk_score }) => <Risk score={risk_score} status={null} />,
      },
      ...chosenText
        .split('\n')
        .filter(Boolean)
        .map((column) => ({
          id: column,
          name: nameOfColumn(foreign(column)),
          width: widthOf(column),
          ...(column === 'create_date' && { sort: sorting('create_date') }),
          cell: ({ cells }: SearchRow) => <Cell of={cells[column]} threshold={threshold} />,
        })),
      {
        id: 'tags',
        name: words.columns.tags,
        width: 150,
        cell: ({ tags }) =>
          tags.map(({ label }, index) => (
            <span key={index} className="chip">
              <Text of={label} />
            </span>
          )),
      },
      {
        id: 'first_seen',
        name: words.columns.firstSeen,
        width: 110,
        sort: sorting('first_seen_since'),
        cell: ({ first_seen }) => first_seen !== null && <Ago at={first_seen} />,
      },
    ];
  }, [chosenText, sort, setSort, isNarrow, threshold]);
}

/** Values with the number of domains that share each; framed where that is worth following. */
function Cell({ of, threshold }: { of: SearchCell | undefined; threshold: number }) {
  if (!of || of.values.length === 0) return <span className="pale">–</span>;
  const more = of.values.length - valuesShown + of.more;
  return (
    <>
      {of.values.slice(0, valuesShown).map(({ value, domains }, index) => (
        <span key={index} className="cell-value" data-value={index}>
          <Text of={value} />
          {domains !== null && domains > 1 && (
            <small className={domains <= threshold ? 'guided' : undefined} title={words.sharedBy(domains)}>
              {number(domains)}
            </small>
          )}
        </span>
      ))}
      {more > 0 && <small>{words.moreValues(more)}</small>}
    </>
  );
}

/** The values of a cell that operations work on; of one alone where the pointer is on it. */
export function valuesIn(
  row: SearchRow,
  column: string,
  target: EventTarget | undefined,
): readonly ValueOfField[] {
  const of = (field: string, value: Foreign): ValueOfField => ({ field, value });
  if (column === 'domain' || column === 'risk_score' || column === 'first_seen')
    return [of('domain', row.punycode)];
  if (column === 'tags') return row.tags.map(({ label }) => of('tagged_with_any', label));
  const values = (row.cells[column]?.values ?? []).map(({ value }) => of(column, value));
  const under =
    target instanceof Element ? target.closest<HTMLElement>('[data-value]')?.dataset['value'] : undefined;
  const one = under === undefined ? undefined : values[Number(under)];
  return one ? [one] : values;
}

export const nameOf = ({ punycode }: SearchRow): string => plain(punycode);
