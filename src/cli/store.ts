/** `nameglass store`: maintenance of stored data. */
import type { Command } from 'commander';
import type { CliNeeds } from './needs.ts';
import { counted, print, printJson } from './output.ts';
import { progressLine } from './progress-line.ts';
import { withSettings } from './settings-options.ts';
import { withStores } from './with-stores.ts';

export function addStore(program: Command, needs: CliNeeds): void {
  const store = program.command('store');
  withSettings(
    store
      .command('reindex')
      .description('index stored domain records as this version does, as after an upgrade'),
  )
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) =>
      withStores(options, needs, async ({ domains }) => {
        const progress = progressLine();
        const { records, changed } = await domains
          .reindex((done, all) =>
            progress.show(`${done.toLocaleString('en')} of ${all.toLocaleString('en')}`),
          )
          .finally(() => progress.clear());
        if (options.json) printJson({ records, changed });
        else print(`${counted(records, 'record')} checked, ${changed.toLocaleString('en')} changed`);
      }),
    );
}
