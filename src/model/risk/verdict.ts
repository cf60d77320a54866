/** A verdict of a reputation list on a domain: bad and for which threat, good, or popular. */
import { type Threat, threats } from './threat.ts';

export const verdictLabels = [...threats, 'good', 'popular'] as const;

export type VerdictLabel = (typeof verdictLabels)[number];

export interface Verdict {
  /** The name of the list. */
  readonly list: string;
  readonly label: VerdictLabel;
  /** The confidence in the list: greater than 0, at most 1. */
  readonly weight: number;
  /** On lists of popular domains; 1 is the most popular. */
  readonly rank?: number;
}

export function isBad({ label }: Verdict): boolean {
  return (threats as readonly string[]).includes(label);
}

/** None for a domain that is also on a list of good domains: that is how an operator overrides other lists. */
export function badVerdictsOf(
  verdicts: readonly Verdict[],
): readonly (Verdict & { readonly label: Threat })[] {
  if (verdicts.some(({ label }) => label === 'good')) return [];
  return verdicts.filter(isBad) as readonly (Verdict & { readonly label: Threat })[];
}
