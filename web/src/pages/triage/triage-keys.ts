/** What the keys of Triage do. Which they are is in the table that `nameglass triage` has too. */
import { useNavigate } from '@tanstack/react-router';
import type { DecisionTarget } from '../../../../src/http/web/detect/domain-wire.ts';
import { triageKeys as keys, type TriageKey } from '../../../../src/model/triage/triage-keys.ts';
import { plain } from '../../data/foreign.ts';
import type { KeyBinding } from '../../keys/key-registry.ts';
import { useKeys } from '../../keys/use-keys.ts';
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
  const decide = (key: TriageKey, to: DecisionTarget, disabled: string | undefined): KeyBinding => ({
    ...key,
    disabled,
    run: () => decisions.choose(to),
  });
  const dialog = (key: TriageKey, of: TriageDialog, disabled?: string): KeyBinding => ({
    ...key,
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
    { ...keys.next, run: () => triage.moveTo(index + 1) },
    { ...keys.previous, run: () => triage.moveTo(index - 1) },
    { ...keys.down, run: () => triage.moveTo(index + actions.columns()) },
    { ...keys.up, run: () => triage.moveTo(index - actions.columns()) },
    { ...keys.first, run: () => triage.moveTo(0) },
    { ...keys.last, run: () => triage.moveTo(triage.rows.length - 1) },
    { ...keys.card, run: actions.toggleCard },
    { ...keys.page, run: openPage },
    { ...keys.select, run: () => current && triage.toggle(current.id) },
    { ...keys.selectRange, run: triage.selectRange },
    { ...keys.selectAll, run: triage.selectAll },
    { ...keys.cluster, run: () => void triage.gatherCluster() },
    { ...keys.clusters, run: actions.toggleClusters },
    decide(keys.watch, 'watched', cannotTriage),
    decide(keys.ignore, 'ignored', cannotTriage),
    decide(keys.block, 'blocked', cannotEscalate),
    decide(keys.submit, 'external_safe', cannotEscalate),
    { ...keys.undo, disabled: cannotTriage, run: () => void decisions.undo() },
    { ...keys.note, disabled: cannotTriage, run: actions.writeNote },
    dialog(keys.assign, 'assign', cannotTriage),
    dialog(keys.tag, 'tag', cannotTriage),
    dialog(keys.save, 'save', cannotTriage),
    dialog(keys.pack, 'pack', cannotTriage),
    dialog(keys.campaign, 'campaign', cannotTriage),
    dialog(keys.operations, 'operations'),
    { ...keys.copyDefanged, run: () => current && void copyName(current, true) },
    { ...keys.copyLive, run: () => current && void copyName(current, false) },
    { ...keys.filter, run: actions.focusFilter },
    { ...keys.facets, run: actions.toggleFacets },
    { ...keys.view, run: actions.toggleView },
    { ...keys.showNew, run: () => void triage.refresh() },
    { ...keys.nextList, run: () => openList(1) },
    { ...keys.previousList, run: () => openList(-1) },
    { ...keys.escape, run: actions.escape },
  ]);
}
