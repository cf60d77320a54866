/** Two runs side by side: every figure that differs by more than a bound, in either direction, and all work that is in one of them alone. */
import type { Result } from './benchmark.ts';
import type { Run } from './run-file.ts';
import { shownBytes, shownNumber } from './table.ts';

export const driftMax = 0.15;
/** Below these, what the system counts is too coarse to be compared. */
const [cpuSecondsMin, memoryBytesMin] = [0.5, 16e6];

interface Compared {
  readonly what: string;
  readonly isMoreBetter: boolean;
  readonly shown: (value: number) => string;
  readonly find: (result: Result) => number | null;
}

const isRate = ({ ours: { unit } }: Result) => unit.endsWith('/s');

/** A ratio stays true when the machine is slower today; without a peer there is only the figure itself. */
function comparedOf(result: Result): readonly Compared[] {
  const first: Compared =
    result.ratio === null
      ? { what: 'ours', isMoreBetter: isRate(result), shown: shownNumber, find: ({ ours }) => ours.value }
      : { what: 'ratio', isMoreBetter: isRate(result), shown: shownNumber, find: ({ ratio }) => ratio };
  const less = { isMoreBetter: false, shown: shownNumber };
  return [
    first,
    { ...less, what: 'growth at 10 ×', find: ({ growthAt10x }) => growthAt10x },
    { ...less, what: 'CPU seconds', find: ({ cpuSeconds }) => atLeast(cpuSeconds, cpuSecondsMin) },
    {
      ...less,
      what: 'memory',
      shown: shownBytes,
      find: ({ memoryBytes }) => atLeast(memoryBytes, memoryBytesMin),
    },
  ];
}

function atLeast(value: number, least: number): number | null {
  return value < least ? null : value;
}

/** A sentence for each drift. */
export function driftsBetween(before: Run, now: Run): readonly string[] {
  return now.benchmarks.flatMap(({ name, results }) => {
    const earlier = before.benchmarks.find((one) => one.name === name);
    if (!earlier) return [];
    const gone = earlier.results.filter(({ work }) => !results.some((result) => result.work === work));
    return [
      ...results.flatMap((result) => {
        const old = earlier.results.find(({ work }) => work === result.work);
        return old ? driftsOf(name, old, result) : [`${name}: ${result.work}: was not measured before`];
      }),
      ...gone.map(({ work }) => `${name}: ${work}: is no longer measured`),
    ];
  });
}

function driftsOf(name: string, old: Result, result: Result): readonly string[] {
  return comparedOf(result).flatMap(({ what, isMoreBetter, shown, find }) => {
    const [was, is] = [find(old), find(result)];
    if (was === null || is === null || was === is) return [];
    const change = was === 0 ? Number.POSITIVE_INFINITY : is / was - 1;
    if (Math.abs(change) <= driftMax) return [];
    const verdict = change > 0 === isMoreBetter ? 'better' : 'worse';
    const percent = `${change > 0 ? '+' : '−'}${Math.abs(change * 100).toFixed(0)} %`;
    return [`${name}: ${result.work}: ${what} ${shown(was)} → ${shown(is)} (${percent}, ${verdict})`];
  });
}
