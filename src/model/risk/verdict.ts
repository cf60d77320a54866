/** What lists of others, or of the operator, say of a domain: that it is bad and for what, that it is good, or that many use it. */
import { type Threat, threats } from './threat.ts';

export const verdictLabels = [...threats, 'good', 'popular'] as const;

export type VerdictLabel = (typeof verdictLabels)[number];

export interface Verdict {
  /** The name of the list. */
  readonly list: string;
  readonly label: VerdictLabel;
  /** How much the list is believed, over 0 and up to 1. */
  readonly weight: number;
  /** Of a list of popular domains: 1 is the most popular. */
  readonly rank?: number;
}

export function isBad({ label }: Verdict): boolean {
  return (threats as readonly string[]).includes(label);
}

/** A domain on a list of bad ones is bad, unless a list of good ones names it too: the operator has the last word. */
export function badVerdictsOf(
  verdicts: readonly Verdict[],
): readonly (Verdict & { readonly label: Threat })[] {
  if (verdicts.some(({ label }) => label === 'good')) return [];
  return verdicts.filter(isBad) as readonly (Verdict & { readonly label: Threat })[];
}
