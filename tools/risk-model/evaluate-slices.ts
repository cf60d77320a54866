/**
 * Slices: how ordinary and bad names of one kind score, by length, digits, hyphens, script, the year in which a list has them and whether it
 * has them as hosts. A kind whose ordinary names are flagged more often than others, or that is hardly separated within itself, points to
 * something that the model has learnt about the lists, and not about names.
 */
import { findNameParts, type NameParts } from '../../src/model/risk/name/name-parts.ts';
import type { NameScorer } from '../../src/model/risk/name/name-scorer.ts';
import type { Threat } from '../../src/model/risk/threat.ts';
import { qualityOf } from './evaluation-metrics.ts';

export interface ListedName {
  readonly name: string;
  /** The list has a host below the domain. */
  readonly isHost?: boolean;
  /** Of the day in the list. */
  readonly year?: string;
}

export interface SliceEvaluation {
  readonly slice: string;
  readonly bad: number;
  readonly good: number;
  /** The shares with a score of 70 and more. */
  readonly badFrom70: number;
  readonly goodFrom70: number;
  /** Within the slice; absent where there are too few names. */
  readonly auc?: number;
}

interface ScoredName {
  readonly slices: readonly string[];
  readonly score: number;
  readonly logOdds: number;
}

const flaggedScore = 70;
const sideNamesMin = 100;

export function evaluateSlices(
  scorer: NameScorer,
  threat: Threat,
  { bad, good }: { readonly bad: readonly ListedName[]; readonly good: readonly ListedName[] },
): readonly SliceEvaluation[] {
  const scored = (side: readonly ListedName[]) =>
    side.flatMap((listed): ScoredName[] => {
      const parts = findNameParts(listed.name);
      if (!parts) return [];
      const logOdds = scorer.logOddsOf(parts)[threat];
      return [{ slices: slicesOf(listed, parts), score: scorer.scoreAt(threat, logOdds), logOdds }];
    });
  const [badNames, goodNames] = [scored(bad), scored(good)];
  const slices = [...new Set([...badNames, ...goodNames].flatMap((one) => one.slices))].sort();
  return slices.map((slice) => {
    const isIn = (one: ScoredName) => one.slices.includes(slice);
    return { slice, ...compare(badNames.filter(isIn), goodNames.filter(isIn)) };
  });
}

function compare(bad: readonly ScoredName[], good: readonly ScoredName[]): Omit<SliceEvaluation, 'slice'> {
  const flagged = (side: readonly ScoredName[]) =>
    side.filter(({ score }) => score >= flaggedScore).length / Math.max(1, side.length);
  const logOdds = (side: readonly ScoredName[]) => Float64Array.from(side, (one) => one.logOdds);
  const isEnough = bad.length >= sideNamesMin && good.length >= sideNamesMin;
  return {
    bad: bad.length,
    good: good.length,
    badFrom70: flagged(bad),
    goodFrom70: flagged(good),
    ...(isEnough ? { auc: qualityOf(logOdds(bad), logOdds(good)).auc } : {}),
  };
}

function slicesOf({ isHost, year }: ListedName, { label, isInternational }: NameParts): readonly string[] {
  return [
    `length ${lengthBand(label.length)}`,
    /\d/.test(label) ? 'digits' : 'digits: none',
    label.includes('-') ? 'hyphens' : 'hyphens: none',
    isInternational ? 'internationalized' : 'internationalized: no',
    isHost ? 'listed as a host' : 'listed as a domain',
    year === undefined ? 'listed without a day' : `listed with a day of ${year}`,
  ];
}

function lengthBand(length: number): string {
  if (length <= 6) return '01 to 06';
  if (length <= 12) return '07 to 12';
  return length <= 20 ? '13 to 20' : 'over 20';
}
