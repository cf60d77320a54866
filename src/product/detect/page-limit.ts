/** The page size of a list. */
import { fieldProblem } from '../../model/problem.ts';

/** Absent or 0 means the maximum. */
export function getLimit(limit: number | undefined, limitMax: number): number {
  if (limit !== undefined && limit > limitMax)
    throw fieldProblem('invalid-parameters', 'limit', `must be at most ${limitMax} here`);
  return limit || limitMax;
}
