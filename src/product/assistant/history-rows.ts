/** What changed in a record, one line for each part; what changed is ours, from what to what is not. */
import { leafChanges } from '../../model/record/leaf-changes.ts';
import type { FieldChange } from '../../store/domain-store.ts';
import { defined, instantOfMs } from './plain-values.ts';
import { type Detail, fullDetail, type ThirdParties, thirdParties } from './third-parties.ts';

export interface HistoryRow extends ThirdParties {
  readonly at: string;
  /** A member of the record. */
  readonly field: string;
  /** It was not known before; what it is now is in the record. */
  readonly appeared?: true;
}

/** The changes of the score, which changes whenever anything else does, as one line. */
export interface RiskHistory {
  readonly changes: number;
  /** Scores; left out where there was none. */
  readonly from?: number;
  readonly to?: number;
}

const scoreField = 'domain_risk';
/** Of one change. */
const leavesMax = 20;

/** Newest first, without changes of the score. */
export function historyRows(
  changes: readonly FieldChange[],
  detail: Detail = fullDetail,
): readonly HistoryRow[] {
  return changes
    .filter(({ field }) => field !== scoreField)
    .flatMap((change) => (change.before === undefined ? [appeared(change)] : leavesOf(change, detail)));
}

function appeared({ atMs, field }: FieldChange): HistoryRow {
  return { at: instantOfMs(atMs), field, appeared: true };
}

function leavesOf({ atMs, field, before, after }: FieldChange, detail: Detail): readonly HistoryRow[] {
  return leafChanges(before, after)
    .slice(0, leavesMax)
    .map((leaf) => ({
      at: instantOfMs(atMs),
      field,
      ...thirdParties(
        { part: leaf.path.join(' '), before: textOf(leaf.before), after: textOf(leaf.after) },
        detail,
      ),
    }));
}

/** Undefined where the score did not change. */
export function riskHistory(changes: readonly FieldChange[]): RiskHistory | undefined {
  const scores = changes.filter(({ field }) => field === scoreField);
  const [newest, oldest] = [scores[0], scores.at(-1)];
  if (!newest || !oldest) return undefined;
  return { changes: scores.length, ...defined({ from: scoreIn(oldest.before), to: scoreIn(newest.after) }) };
}

function scoreIn(risk: unknown): number | undefined {
  const { risk_score: score } = (risk ?? {}) as { readonly risk_score?: unknown };
  return typeof score === 'number' ? score : undefined;
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
