import { Download, FolderPlus, Hash, ListFilter } from 'lucide-react';
import { foreign } from '../../data/foreign.ts';
import { useMissing } from '../../data/me.ts';
import { makeSearchHash, useCatalogue } from '../../data/search.ts';
import { ColumnChooser } from '../../parts/grid/column-chooser.tsx';
import type { SearchQuery } from '../../query/search-query.ts';
import { number } from '../../words/language.ts';
import { searchWords as words } from '../../words/search.ts';
import { copyText } from '../triage/copy-name.ts';
import { showFailure } from '../triage/decision-messages.tsx';
import { nameOfColumn } from './facet-list.tsx';
import { useChosenColumns } from './results.tsx';
import type { SearchDialog } from './search.tsx';
import type { SearchState } from './search-address.ts';

interface SearchHeadProps {
  readonly state: SearchState;
  readonly query: SearchQuery | undefined;
  readonly total: number | undefined;
  readonly view: (changes: { readonly columns: readonly string[] | undefined }) => void;
  readonly showsFacets: boolean;
  readonly setFacets: (isOpen: boolean) => void;
  readonly open: (dialog: SearchDialog) => void;
}

export function SearchHead({ state, query, total, view, showsFacets, setFacets, open }: SearchHeadProps) {
  const columns = useCatalogue().data?.columns ?? [];
  const chosen = useChosenColumns(state);
  const cannotSave = useMissing('triage');
  const copyHash = async () => {
    if (!query) return;
    try {
      await copyText(await makeSearchHash(query), words.hashCopied);
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <header className="search-head">
      <h1>
        {words.title} {total !== undefined && <span className="count">{number(total)}</span>}
      </h1>
      <div className="grow" />
      {query && (
        <>
          <button type="button" aria-pressed={showsFacets} onClick={() => setFacets(!showsFacets)}>
            <ListFilter size={15} aria-hidden /> <span className="wide-label">{words.facets}</span>{' '}
            <kbd>{words.keyNames.facets}</kbd>
          </button>
          <ColumnChooser
            all={columns.map(({ name }) => ({ id: name, name: nameOfColumn(foreign(name)) }))}
            chosen={chosen}
            choose={(next) => view({ columns: next })}
          />
          <button type="button" onClick={() => void copyHash()}>
            <Hash size={15} aria-hidden /> <span className="wide-label">{words.copyHash}</span>
          </button>
          <button
            type="button"
            disabled={cannotSave !== undefined}
            title={cannotSave}
            onClick={() => open('save')}
          >
            <FolderPlus size={15} aria-hidden /> <span className="wide-label">{words.save}</span>{' '}
            <kbd>{words.keyNames.save}</kbd>
          </button>
          <button type="button" onClick={() => open('export')}>
            <Download size={15} aria-hidden /> <span className="wide-label">{words.export}</span>{' '}
            <kbd>{words.keyNames.export}</kbd>
          </button>
        </>
      )}
    </header>
  );
}
