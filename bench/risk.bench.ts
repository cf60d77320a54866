/** Scores by the model that comes with the package: of names, of records, and the whole stage over real stores. */
import type { Bench } from './harness/benchmark.ts';
import { benchNameScores } from './risk/name-scores.ts';
import { benchRecordScores } from './risk/record-scores.ts';
import { benchScoringStages } from './risk/scoring-stages.ts';

export const bench: Bench = async (context) => [
  ...(await benchNameScores(context)),
  ...(await benchRecordScores(context)),
  ...(await benchScoringStages(context)),
];
