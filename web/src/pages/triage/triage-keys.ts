/** The keys of Triage. */
import { useNavigate } from '@tanstack/react-router';
import { plain } from '../../data/foreign.ts';
import type { KeyBinding } from '../../keys/key-registry.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { copyName } from './copy-name.ts';
import { lists } from './triage-search.ts';
import type { useDecisions } from './use-decisions.ts';
import type { TriageState } from './use-triage.ts';

interface TriageActions {
  readonly triage: TriageState;
  readonly decisions: ReturnType<typeof useDecisions>;
  readonly columns: () => number;
  readonly toggleCard: () => void;
  readonly toggleFacets: () => void;
  readonly toggleView: () => void;
  readonly writeNote: () => void;
  readonly assign: () => void;
  readonly focusFilter: () => void;
  readonly escape: () => void;
  readonly cannotTriage: string | undefined;
  readonly cannotEscalate: string | undefined;
}

export function useTriageKeys(actions: TriageActions): void {
  const { triage, decisions, cannotTriage, cannotEscalate } = actions;
  const { index, current } = triage;
  const navigate = useNavigate();
  const openPage = () =>
    current && void navigate({ to: '/domain/$name', params: { name: plain(current.domain) } });
  const decide = (
    keys: string,
    label: string,
    to: Parameters<typeof decisions.choose>[0],
    disabled: string | undefined,
  ): KeyBinding => ({
    keys,
    label,
    group: 'Decide',
    disabled,
    run: () => decisions.choose(to),
  });
  const openList = (by: number) => {
    const at = lists.indexOf(triage.list) + by;
    const next = lists[(at + lists.length) % lists.length];
    triage.change(
      ({ view, card }) => ({
        ...(next === 'new' || next === undefined ? {} : { s: next }),
        ...(view ? { view } : {}),
        ...(card ? { card } : {}),
      }),
      { push: true },
    );
  };
  useKeys([
    { keys: 'j', label: 'Next', group: 'Move', run: () => triage.moveTo(index + 1) },
    { keys: 'k', label: 'Previous', group: 'Move', run: () => triage.moveTo(index - 1) },
    { keys: 'ArrowDown', label: 'Down', group: 'Move', run: () => triage.moveTo(index + actions.columns()) },
    { keys: 'ArrowUp', label: 'Up', group: 'Move', run: () => triage.moveTo(index - actions.columns()) },
    { keys: 'Home', label: 'First', group: 'Move', run: () => triage.moveTo(0) },
    { keys: 'End', label: 'Last loaded', group: 'Move', run: () => triage.moveTo(triage.rows.length - 1) },
    { keys: 'o', also: ['Enter'], label: 'Open or close the card', group: 'Move', run: actions.toggleCard },
    { keys: 'Shift+O', label: 'Open the page of the domain', group: 'Move', run: openPage },
    { keys: 'x', label: 'Select', group: 'Select', run: () => current && triage.toggle(current.id) },
    { keys: 'Shift+X', label: 'Select up to here', group: 'Select', run: triage.selectRange },
    { keys: '*', label: 'Select all that match the filter', group: 'Select', run: triage.selectAll },
    {
      keys: 'c',
      label: 'Select and gather the cluster',
      group: 'Select',
      run: () => void triage.gatherCluster(),
    },
    decide('w', 'Watch', 'watched', cannotTriage),
    decide('i', 'Ignore', 'ignored', cannotTriage),
    decide('b', 'Block', 'blocked', cannotEscalate),
    decide('e', 'Submit to safe browsing', 'external_safe', cannotEscalate),
    { keys: 'u', label: 'Undo', group: 'Decide', disabled: cannotTriage, run: () => void decisions.undo() },
    { keys: 'm', label: 'Write a note', group: 'Domain', disabled: cannotTriage, run: actions.writeNote },
    { keys: 'a', label: 'Assign', group: 'Domain', disabled: cannotTriage, run: actions.assign },
    {
      keys: 'y',
      label: 'Copy defanged',
      group: 'Domain',
      run: () => current && void copyName(current, true),
    },
    {
      keys: 'Shift+Y',
      label: 'Copy as it is',
      group: 'Domain',
      run: () => current && void copyName(current, false),
    },
    { keys: '/', label: 'Filter by name', group: 'Lists', run: actions.focusFilter },
    { keys: 'f', label: 'Facets', group: 'Lists', run: actions.toggleFacets },
    { keys: 'v', label: 'List or screenshots', group: 'Lists', run: actions.toggleView },
    { keys: 'n', label: 'Show what is new', group: 'Lists', run: () => void triage.refresh() },
    { keys: ']', label: 'Next list', group: 'Lists', run: () => openList(1) },
    { keys: '[', label: 'Previous list', group: 'Lists', run: () => openList(-1) },
    { keys: 'Escape', label: 'Clear the selection, close the card', group: 'Select', run: actions.escape },
  ]);
}
