/** The keys of Triage. */
import { useNavigate } from '@tanstack/react-router';
import type { DecisionTarget } from '../../../../src/http/web/detect/domain-wire.ts';
import { plain } from '../../data/foreign.ts';
import type { KeyBinding } from '../../keys/key-registry.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { actionWords } from '../../words/parts.ts';
import { decisionWords, triageKeyWords as words } from '../../words/triage.ts';
import { copyName } from './copy-name.ts';
import type { TriageDialog } from './dialogs.tsx';
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
  readonly toggleClusters: () => void;
  readonly writeNote: () => void;
  readonly open: (dialog: TriageDialog) => void;
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
  const decide = (keys: string, to: DecisionTarget, disabled: string | undefined): KeyBinding => ({
    keys,
    label: to === 'external_safe' ? words.submit : decisionWords.verbs[to],
    group: 'Decide',
    disabled,
    run: () => decisions.choose(to),
  });
  const dialog = (keys: string, label: string, of: TriageDialog, disabled?: string): KeyBinding => ({
    keys,
    label,
    group: 'Domain',
    disabled,
    run: () => current && actions.open(of),
  });
  const openList = (by: number) => {
    const at = lists.indexOf(triage.list) + by;
    const next = lists[(at + lists.length) % lists.length];
    triage.change(
      ({ view, group, card }) => ({
        ...(next === 'new' || next === undefined ? {} : { s: next }),
        ...(view ? { view } : {}),
        ...(group ? { group } : {}),
        ...(card ? { card } : {}),
      }),
      { push: true },
    );
  };
  useKeys([
    { keys: 'j', label: words.next, group: 'Move', run: () => triage.moveTo(index + 1) },
    { keys: 'k', label: words.previous, group: 'Move', run: () => triage.moveTo(index - 1) },
    {
      keys: 'ArrowDown',
      label: words.down,
      group: 'Move',
      run: () => triage.moveTo(index + actions.columns()),
    },
    { keys: 'ArrowUp', label: words.up, group: 'Move', run: () => triage.moveTo(index - actions.columns()) },
    { keys: 'Home', label: words.first, group: 'Move', run: () => triage.moveTo(0) },
    { keys: 'End', label: words.last, group: 'Move', run: () => triage.moveTo(triage.rows.length - 1) },
    { keys: 'o', also: ['Enter'], label: words.card, group: 'Move', run: actions.toggleCard },
    { keys: 'Shift+O', label: words.page, group: 'Move', run: openPage },
    { keys: 'x', label: words.select, group: 'Select', run: () => current && triage.toggle(current.id) },
    { keys: 'Shift+X', label: words.selectRange, group: 'Select', run: triage.selectRange },
    { keys: '*', label: words.selectAll, group: 'Select', run: triage.selectAll },
    {
      keys: 'c',
      label: words.cluster,
      group: 'Select',
      run: () => void triage.gatherCluster(),
    },
    { keys: 'Shift+C', label: words.clusters, group: 'Lists', run: actions.toggleClusters },
    decide('w', 'watched', cannotTriage),
    decide('i', 'ignored', cannotTriage),
    decide('b', 'blocked', cannotEscalate),
    decide('e', 'external_safe', cannotEscalate),
    {
      keys: 'u',
      label: actionWords.undo,
      group: 'Decide',
      disabled: cannotTriage,
      run: () => void decisions.undo(),
    },
    { keys: 'm', label: words.note, group: 'Domain', disabled: cannotTriage, run: actions.writeNote },
    dialog('a', words.assign, 'assign', cannotTriage),
    dialog('t', words.tag, 'tag', cannotTriage),
    dialog('s', words.save, 'save', cannotTriage),
    dialog('.', words.operations, 'operations'),
    {
      keys: 'y',
      label: words.copyDefanged,
      group: 'Domain',
      run: () => current && void copyName(current, true),
    },
    {
      keys: 'Shift+Y',
      label: words.copyLive,
      group: 'Domain',
      run: () => current && void copyName(current, false),
    },
    { keys: '/', label: words.filter, group: 'Lists', run: actions.focusFilter },
    { keys: 'f', label: words.facets, group: 'Lists', run: actions.toggleFacets },
    { keys: 'v', label: words.view, group: 'Lists', run: actions.toggleView },
    { keys: 'n', label: words.showNew, group: 'Lists', run: () => void triage.refresh() },
    { keys: ']', label: words.nextList, group: 'Lists', run: () => openList(1) },
    { keys: '[', label: words.previousList, group: 'Lists', run: () => openList(-1) },
    { keys: 'Escape', label: words.escape, group: 'Select', run: actions.escape },
  ]);
}
