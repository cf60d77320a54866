/** Why a score is what it is: our own words and numbers, and apart from them what a third party wrote. */
import type { RiskContribution } from '../../model/risk/assessment.ts';
import { type Detail, fullDetail, type ThirdParties, thirdParties } from './third-parties.ts';

export interface Reason extends ThirdParties {
  readonly code: string;
  /** Never contains what a third party wrote. */
  readonly reason: string;
  /** The largest of its components. */
  readonly points: number;
  readonly components: readonly string[];
}

/** Smaller ones say nothing that decides. */
const pointsMin = 5;

/** One that counts for several components is said once; largest effect first, up or down. */
export function listReasons(
  contributions: readonly RiskContribution[],
  reasonsMax: number,
  detail: Detail = fullDetail,
): readonly Reason[] {
  const byKind = new Map<string, { first: RiskContribution; points: number; components: string[] }>();
  for (const contribution of contributions) {
    const { code, reason, value, evidence, points, component } = contribution;
    // The base value that every domain has explains nothing.
    if (evidence === undefined) continue;
    const key = JSON.stringify([code, reason, value]);
    const known = byKind.get(key) ?? { first: contribution, points: 0, components: [] };
    known.components.push(component);
    if (Math.abs(points) > Math.abs(known.points)) known.points = points;
    byKind.set(key, known);
  }
  return [...byKind.values()]
    .filter(({ first, points }) => Math.abs(points) >= pointsMin || first.component === 'zerolist')
    .sort((one, other) => Math.abs(other.points) - Math.abs(one.points))
    .slice(0, reasonsMax)
    .map(({ first, points, components }) => ({
      code: first.code,
      reason: first.reason,
      points,
      components,
      ...thirdParties({ value: first.value }, detail),
    }));
}
