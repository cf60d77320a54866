/** The domains that a search found, as a table of up to 10,000 rows: 500 are read at a time. */
import { useNavigate } from '@tanstack/react-router';
import { type Ref, useMemo, useState } from 'react';
import { type SearchPage, type SearchRow, useCatalogue } from '../../data/search.ts';
import { DataGrid, type DataGridHandle, type GridCell } from '../../parts/data-grid.tsx';
import { anchorBelow, type MenuAnchor } from '../../parts/menu.tsx';
import { Text } from '../../parts/text.tsx';
import { useMedia } from '../../parts/use-media.ts';
import { type ValueOfField, ValueOperations } from '../../parts/value-operations.tsx';
import { searchWords as words } from '../../words/search.ts';
import { nameOf, useResultColumns, valuesIn } from './result-columns.tsx';
import type { SearchState } from './search-address.ts';

interface ResultsProps {
  readonly pages: readonly SearchPage[];
  readonly state: SearchState;
  readonly setSort: (sort: SearchState['sort']) => void;
  readonly selected: ReadonlySet<string>;
  readonly select: (names: ReadonlySet<string>) => void;
  readonly next: (() => void) | undefined;
  readonly isLoadingNext: boolean;
  readonly handle: Ref<DataGridHandle>;
}

const pageSize = 500;

/** The columns on the screen: those that were chosen, or the usual ones. */
export function useChosenColumns(state: SearchState): readonly string[] {
  const catalogue = useCatalogue().data;
  return useMemo(
    () => state.columns ?? catalogue?.columns.filter(({ shown }) => shown).map(({ name }) => name) ?? [],
    [state.columns, catalogue],
  );
}

export function Results(props: ResultsProps) {
  const { pages, state, setSort, selected, select, next, isLoadingNext, handle } = props;
  const navigate = useNavigate();
  const isNarrow = useMedia('(max-width: 700px)');
  const columns = useResultColumns({ chosen: useChosenColumns(state), sort: state.sort, setSort, isNarrow });
  const rows = useMemo(() => pages.flatMap(({ domains }) => domains), [pages]);
  const total = pages[0]?.total ?? 0;
  const [menu, setMenu] = useState<{
    readonly values: readonly ValueOfField[];
    readonly anchor: MenuAnchor;
  }>();
  const openMenu = ({ row, column, element, target, pointer }: GridCell<SearchRow>) => {
    const values = valuesIn(row, column, target);
    if (values.length > 0) setMenu({ values, anchor: pointer ?? anchorBelow(element) });
  };
  return (
    <>
      <DataGrid
        label={words.result}
        columns={columns}
        rows={rows}
        rowKey={nameOf}
        total={total}
        selected={selected}
        onSelect={select}
        onOpen={(row) => void navigate({ to: '/domain/$name', params: { name: nameOf(row) } })}
        onMenu={openMenu}
        handle={handle}
        foot={
          next && (
            <div className="next-page">
              <button type="button" disabled={isLoadingNext} onClick={next}>
                {isLoadingNext ? words.loadingNext : words.next(Math.min(pageSize, total - rows.length))}
              </button>
              <span className="pale">{words.loaded(rows.length, total)}</span>
            </div>
          )
        }
      />
      {menu && <ValueOperations values={menu.values} anchor={menu.anchor} close={() => setMenu(undefined)} />}
    </>
  );
}

const missingShown = 20;

/** Names that were searched for and have no record. */
export function Missing({ names }: { names: SearchPage['missing'] }) {
  if (names.length === 0) return null;
  return (
    <p className="banner missing">
      {words.missing(names.length)}{' '}
      {names.slice(0, missingShown).map((name, index) => (
        <code key={index}>
          <Text of={name} />
        </code>
      ))}
      {names.length > missingShown && words.moreValues(names.length - missingShown)}
    </p>
  );
}
