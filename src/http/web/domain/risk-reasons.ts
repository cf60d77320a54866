/** Risk reasons for people: one that counts for several components is said once, with the points of each. */
import type { RiskContribution } from '../../../model/risk/assessment.ts';
import type { RiskReason } from './domain-wire.ts';

/** Largest effect first, up or down. The base value of every domain is left out. */
export function reasonsOf(contributions: readonly RiskContribution[]): RiskReason[] {
  const reasons = new Map<string, RiskReason>();
  for (const { code, reason: text, value = null, evidence, component, points } of contributions) {
    if (evidence === undefined) continue;
    const key = JSON.stringify([code, text, value]);
    const known = reasons.get(key);
    const components = [...(known?.components ?? []), { component, points }];
    const strongest = components.reduce((one, other) =>
      Math.abs(other.points) > Math.abs(one.points) ? other : one,
    );
    reasons.set(key, { code, text, value, points: strongest.points, components });
  }
  return [...reasons.values()].sort((one, other) => Math.abs(other.points) - Math.abs(one.points));
}
