/** The reasons of a score for humans: each once, although several components may count it. */
import type { RiskContribution } from './assessment.ts';
import type { RiskReason } from './risk-reason.ts';

export interface GroupedReason extends RiskReason {
  /** The largest of its components; negative points lower the score. */
  readonly points: number;
  readonly components: readonly { readonly component: string; readonly points: number }[];
}

/** Those that matter most first. What every domain has, and what counts nothing, is no reason. */
export function groupReasons(contributions: readonly RiskContribution[]): readonly GroupedReason[] {
  const counted = contributions.filter(({ evidence, points }) => evidence !== undefined && points !== 0);
  const groups = Map.groupBy(counted, ({ code, reason, value }) => JSON.stringify([code, reason, value]));
  return [...groups.values()]
    .map((group): GroupedReason => {
      const [first] = group as [RiskContribution, ...RiskContribution[]];
      const { code, reason, value } = first;
      const components = group.map(({ component, points }) => ({ component, points }));
      const largest = components.reduce((one, other) =>
        Math.abs(other.points) > Math.abs(one.points) ? other : one,
      );
      return { code, reason, ...(value === undefined ? {} : { value }), points: largest.points, components };
    })
    .sort((one, other) => Math.abs(other.points) - Math.abs(one.points));
}
