import type { VerdictLabel } from '../../model/risk/verdict.ts';

/** The verdict of a list; undefined where the domain is not listed. */
export type ListVerdict = { readonly label: VerdictLabel; readonly weight: number } | undefined;

/** Popular domains are left out of the log: their ranks are too many and change too often. */
export function isLoggedChange(before: ListVerdict, after: ListVerdict): boolean {
  const [one, other] = [logged(before), logged(after)];
  return one?.label !== other?.label || one?.weight !== other?.weight;
}

function logged(verdict: ListVerdict): ListVerdict {
  return verdict?.label === 'popular' ? undefined : verdict;
}
