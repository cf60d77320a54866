/** How many entries of a list an answer may hold. */
import { fieldProblem } from '../../model/problem.ts';

/** Absent or 0 means as many as there may be. */
export function getLimit(limit: number | undefined, limitMax: number): number {
  if (limit !== undefined && limit > limitMax)
    throw fieldProblem('invalid-parameters', 'limit', `must be at most ${limitMax} here`);
  return limit || limitMax;
}
