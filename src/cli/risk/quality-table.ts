/** Prints quality metrics and reliability tables. */
import type { ScoreBand } from '../../../tools/risk-model/evaluation-metrics.ts';
import type { Quality } from '../../model/risk/name/name-model.ts';
import { probabilityOfScore } from '../../model/risk/score-scale.ts';
import type { Threat } from '../../model/risk/threat.ts';
import { print, printTable } from '../output.ts';

export function printQuality(measured: readonly (readonly [what: string, quality: Quality])[]): void {
  const rows = measured.map(([what, { bad, good, auc, foundAt }]) => {
    const found = [foundAt['0.1'], foundAt['0.35'], foundAt['1']].map(percent);
    return [what, bad.toLocaleString('en'), good.toLocaleString('en'), auc.toFixed(4), ...found];
  });
  printTable(['threat', 'bad', 'good', 'AUC', 'found at 0.1 %', 'at 0.35 %', 'at 1 % false positives'], rows);
}

export function printFigures(
  qualities: readonly (readonly [what: string, quality: Quality])[],
  banded: readonly (readonly [threat: Threat, bands: readonly ScoreBand[]])[],
  examples: 'names' | 'records',
): void {
  printQuality(qualities);
  for (const [threat, bands] of banded) {
    print(
      `\nscores for ${threat}, and the share of bad ${examples} in each band if they are as rare as the prior says`,
    );
    printTable(
      ['score', 'bad', 'good', 'bad share', 'expected'],
      bands.map(({ from, to, bad, good, badShare }) => [
        `${from}-${to}`,
        bad,
        good,
        percent(badShare),
        `${percent(probabilityOfScore(Math.max(from, 0.5)))} to ${percent(probabilityOfScore(Math.min(to + 1, 99.5)))}`,
      ]),
    );
  }
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
