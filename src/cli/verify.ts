/** `nameglass verify`: checks the consistency of stored data. */
import type { Command } from 'commander';
import { escapeForTerminal } from '../model/escape-for-terminal.ts';

import type { CliNeeds } from './needs.ts';
import { counted, print, printJson } from './output.ts';
import { progressLine } from './progress-line.ts';
import { withSettings } from './settings-options.ts';
import { withStores } from './with-stores.ts';

const shownMax = 20;

export function addVerify(program: Command, needs: CliNeeds): void {
  const verify = program.command('verify').description('check the consistency of stored data');
  withSettings(
    verify
      .command('counts')
      .description('recount how many domains share each value; exit code 1 if a count is wrong'),
  )
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) =>
      withStores(options, needs, async ({ domains }) => {
        const progress = progressLine();
        const faults = await domains.verifyCounts((done, all) =>
          progress.show(`${done.toLocaleString('en')} of ${all.toLocaleString('en')}`),
        );
        progress.clear();
        const { records, values } = await domains.statistics();
        if (options.json) printJson({ records, values, faults });
        else {
          for (const fault of faults.slice(0, shownMax)) print(escapeForTerminal(fault));
          if (faults.length > shownMax) print(`… and ${faults.length - shownMax} more`);
          const verdict = faults.length === 0 ? 'all counts agree' : counted(faults.length, 'disagreement');
          print(`${counted(records, 'record')}, ${counted(values, 'value')}: ${verdict}`);
        }
        if (faults.length > 0) process.exitCode = 1;
      }),
    );
}
