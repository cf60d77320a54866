/** `nameglass verify counts`: compares the index of domain records with the records. */
import { escapeForTerminal } from '../../model/escape-for-terminal.ts';
import type { CliNeeds } from '../needs.ts';
import { counted, print } from '../output.ts';
import { progressLine } from '../progress-line.ts';
import { withStores } from '../with-stores.ts';
import type { VerifyOptions } from './verify-data.ts';

const shownMax = 20;

interface CountsCheck {
  readonly records: number;
  readonly values: number;
  readonly faults: readonly string[];
}

/** Exit code 1 if a count is wrong. */
export async function verifyCounts(options: VerifyOptions, needs: CliNeeds): Promise<CountsCheck> {
  let check: CountsCheck = { records: 0, values: 0, faults: [] };
  await withStores(options, needs, async ({ domains }) => {
    const progress = progressLine();
    const faults = await domains.verifyCounts((done, all) =>
      progress.show(`${done.toLocaleString('en')} of ${all.toLocaleString('en')}`),
    );
    progress.clear();
    const { records, values } = await domains.statistics();
    check = { records, values, faults };
    if (!options.json) {
      for (const fault of faults.slice(0, shownMax)) print(escapeForTerminal(fault));
      if (faults.length > shownMax) print(`… and ${faults.length - shownMax} more`);
      const verdict = faults.length === 0 ? 'all counts agree' : counted(faults.length, 'disagreement');
      print(`${counted(records, 'record')}, ${counted(values, 'value')}: ${verdict}`);
    }
    if (faults.length > 0) process.exitCode = 1;
  });
  return check;
}
