/** Scores in words. */
export interface RiskLevel {
  readonly name: 'none' | 'good' | 'low' | 'medium' | 'high' | 'bad';
  readonly word: string;
  /** Filled bars of four. */
  readonly bars: number;
}

const notScored: RiskLevel = { name: 'none', word: 'Not scored', bars: 0 };
const levels: readonly (readonly [from: number, RiskLevel])[] = [
  [100, { name: 'bad', word: 'Known bad', bars: 4 }],
  [70, { name: 'high', word: 'High', bars: 3 }],
  [40, { name: 'medium', word: 'Medium', bars: 2 }],
  [1, { name: 'low', word: 'Low', bars: 1 }],
  [0, { name: 'good', word: 'Known good', bars: 0 }],
];

export function riskLevel(score: number | null): RiskLevel {
  if (score === null) return notScored;
  return levels.find(([from]) => score >= from)?.[1] ?? notScored;
}
