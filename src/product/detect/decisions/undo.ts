/** Undoes a decision, also long after it was made. */
import type { Caller } from '../../../model/account/account.ts';
import type { WatchlistId } from '../../../model/detect/watchlist.ts';
import { Problem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import type {
  DecisionStore,
  LoggedDecision,
  UndoConflict,
  UndoOutcome,
} from '../../../store/decision-store.ts';
import { pieceDomains } from './decide.ts';

export interface UndoNeeds {
  readonly decisions: Pick<DecisionStore, 'findDecision' | 'undoDecision'>;
  readonly settings: Pick<Settings, 'limits'>;
}

export async function getDecision(
  { account }: Caller,
  id: WatchlistId,
  { decisions }: Pick<UndoNeeds, 'decisions'>,
): Promise<LoggedDecision> {
  const decision = await decisions.findDecision(account.id, id);
  if (!decision) throw new Problem('not-found', 'There is no such decision.');
  return decision;
}

/** `conflict` with what others decided since, unless those domains are to be skipped. */
export async function undoDecision(
  { account, user }: Caller,
  { id, target }: Pick<LoggedDecision, 'id' | 'target'>,
  {
    skipConflicts,
    onConflict,
  }: {
    readonly skipConflicts: boolean;
    readonly onConflict: (conflicts: readonly UndoConflict[]) => unknown;
  },
  needs: UndoNeeds & { readonly nowMs: number },
): Promise<Extract<UndoOutcome, { outcome: 'undone' }>> {
  const options = { skipConflicts, pieceDomains: pieceDomains(target, needs) };
  const by = { username: user.username, atMs: needs.nowMs };
  const outcome = await needs.decisions.undoDecision(account.id, id, options, by);
  if (outcome.outcome === 'unknown') throw new Problem('not-found', 'There is no such decision.');
  if (outcome.outcome === 'undone') return outcome;
  const { conflicts } = outcome;
  const [first] = conflicts;
  const others = conflicts.length > 1 ? ` and ${conflicts.length - 1} more` : '';
  throw new Problem(
    'conflict',
    `${first?.by} has decided about ${first?.domain}${others} since. Nothing was changed.`,
    { members: { conflicts: onConflict(conflicts) } },
  );
}
