/** Prints quality metrics as a table. */
import type { Quality } from '../../model/risk/name/name-model.ts';
import { printTable } from '../output.ts';

export function printQuality(measured: readonly (readonly [what: string, quality: Quality])[]): void {
  const rows = measured.map(([what, { bad, good, auc, foundAt }]) => {
    const found = [foundAt['0.1'], foundAt['0.35'], foundAt['1']].map(
      (share) => `${(100 * share).toFixed(1)} %`,
    );
    return [what, bad.toLocaleString('en'), good.toLocaleString('en'), auc.toFixed(4), ...found];
  });
  printTable(['threat', 'bad', 'good', 'AUC', 'found at 0.1 %', 'at 0.35 %', 'at 1 % false positives'], rows);
}
