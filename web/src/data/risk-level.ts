/** Scores in words. */
import { riskWords } from '../words/parts.ts';

export interface RiskLevel {
  readonly name: 'none' | 'good' | 'low' | 'medium' | 'high' | 'bad';
  readonly word: string;
  /** Filled bars of four. */
  readonly bars: number;
}

const level = (name: RiskLevel['name'], bars: number): RiskLevel => ({ name, word: riskWords[name], bars });

const notScored = level('none', 0);
const levels: readonly (readonly [from: number, RiskLevel])[] = [
  [100, level('bad', 4)],
  [70, level('high', 3)],
  [40, level('medium', 2)],
  [1, level('low', 1)],
  [0, level('good', 0)],
];

/** The worst first. */
export const riskLevels: readonly RiskLevel[] = [...levels.map(([, one]) => one), notScored];

export function riskLevel(score: number | null): RiskLevel {
  if (score === null) return notScored;
  return levels.find(([from]) => score >= from)?.[1] ?? notScored;
}
