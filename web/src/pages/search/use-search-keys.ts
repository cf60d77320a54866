import { useMissing } from '../../data/me.ts';
import { useKeys } from '../../keys/use-keys.ts';
import type { SearchQuery } from '../../query/search-query.ts';
import { searchWords } from '../../words/search.ts';
import type { SearchDialog } from './search.tsx';

interface SearchKeys {
  readonly query: SearchQuery | undefined;
  readonly edit: () => void;
  readonly toggleFacets: () => void;
  readonly toTable: () => void;
  readonly open: (dialog: SearchDialog) => void;
}

export function useSearchKeys({ query, edit, toggleFacets, toTable, open }: SearchKeys): void {
  const cannotSave = useMissing('triage');
  const { keys } = searchWords;
  useKeys([
    { keys: '/', label: keys.edit, group: 'Lists', run: edit },
    ...(query
      ? ([
          { keys: 'f', label: keys.facets, group: 'Lists', run: toggleFacets },
          { keys: 's', label: keys.save, group: 'Lists', disabled: cannotSave, run: () => open('save') },
          { keys: 'Shift+E', label: keys.export, group: 'Lists', run: () => open('export') },
          { keys: 'j', also: ['ArrowDown'], label: keys.table, group: 'Move', run: toTable },
        ] as const)
      : []),
  ]);
}
