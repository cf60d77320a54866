/** What the keyboard does on the page of an investigation. */
import { useNavigate } from '@tanstack/react-router';
import { queryOfNode, type SearchNode } from '../../data/investigation/investigations.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { nodeWords as words } from '../../words/investigations.ts';
import { addressOfQuery } from '../search/search-address.ts';
import type { InvestigationTab } from './investigation-search.ts';

interface DeskKeys {
  /** Why nothing may be added. */
  readonly cannotAdd: string | undefined;
  /** The current search. */
  readonly node: SearchNode | undefined;
  readonly writeNote: () => void;
  readonly star: () => void;
  readonly toggleGraph: () => void;
  readonly toTree: () => void;
  readonly show: (tab: InvestigationTab) => void;
}

export function useDeskKeys({ cannotAdd, node, writeNote, star, toggleGraph, toTree, show }: DeskKeys): void {
  const navigate = useNavigate();
  const open = () => node && void navigate({ to: '/search', search: addressOfQuery(queryOfNode(node)) });
  useKeys([
    { keys: 'm', label: words.keys.note, group: 'Domain', disabled: cannotAdd, run: writeNote },
    { keys: '*', label: words.keys.star, group: 'Domain', disabled: cannotAdd, run: star },
    { keys: 'x', label: words.keys.graph, group: 'Select', run: toggleGraph },
    { keys: 'j', label: words.keys.tree, group: 'Move', run: toTree },
    { keys: '1', label: words.keys.table, group: 'Lists', run: () => show('table') },
    { keys: '2', label: words.keys.view, group: 'Lists', run: () => show('graph') },
    { keys: '3', label: words.keys.findings, group: 'Lists', run: () => show('findings') },
    { keys: 'o', label: words.keys.search, group: 'Lists', run: open },
  ]);
}
