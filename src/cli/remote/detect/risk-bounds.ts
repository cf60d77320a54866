/** `--risk '>90'`: which scores, and the ranges of the API that contain them. */
import { InvalidArgumentError } from 'commander';
import { riskRanges } from '../../../product/detect/domain-list.ts';

export interface RiskBounds {
  readonly ranges: readonly string[];
  readonly includes: (score: number) => boolean;
}

export function readRisk(text: string): RiskBounds {
  const [, operator = '=', low = '', high] =
    /^\s*(>=|<=|>|<|=)?\s*(\d{1,3})(?:\s*-\s*(\d{1,3}))?\s*$/.exec(text) ?? [];
  const bound = Number(low);
  if (low === '' || bound > 100 || Number(high ?? 0) > 100)
    throw new InvalidArgumentError("Expected scores such as '>90', '>=70', '<40', 100 or 70-99.");
  const [from, to] = high === undefined ? boundsOf(operator, bound) : [bound, Number(high)];
  const includes = (score: number) => score >= from && score <= to;
  const ranges = riskRanges.filter((range) => {
    const [least = 0, most = 100] = range.split('-').map(Number);
    return most >= from && least <= to;
  });
  if (ranges.length === 0) throw new InvalidArgumentError('No score is within these bounds.');
  return { ranges, includes };
}

function boundsOf(operator: string, bound: number): readonly [number, number] {
  if (operator === '>') return [bound + 1, 100];
  if (operator === '>=') return [bound, 100];
  if (operator === '<') return [0, bound - 1];
  return operator === '<=' ? [0, bound] : [bound, bound];
}
