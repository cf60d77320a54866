/** `nameglass store`: maintenance of stored data. */
import type { Command } from 'commander';
import type { CliNeeds } from '../needs.ts';
import { counted, print, printJson } from '../output.ts';
import { progressLine } from '../progress-line.ts';
import { configOf, type SettingsOptions, withSettings } from '../settings-options.ts';
import { withStores } from '../with-stores.ts';
import { addCopy } from './copy-command.ts';

export function addStore(program: Command, needs: CliNeeds): void {
  const store = program.command('store');
  addMigrate(store, needs);
  addCopy(store, needs);
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

function addMigrate(store: Command, needs: CliNeeds): void {
  withSettings(
    store
      .command('migrate')
      .description(
        'make and upgrade the tables of distributed stores, before the nodes of a new version start',
      ),
  )
    .option('--json', 'print JSON')
    .action(async (options: SettingsOptions & { json?: boolean }) => {
      const { settings } = configOf(options, needs);
      if (settings.store.kind === 'embedded') {
        const advice = 'embedded stores are upgraded by the first command or server that opens them';
        if (options.json) printJson({ migrations: [] });
        else print(`nothing to do: ${advice}`);
        return;
      }
      const migrations = await (await needs.loadEngines()).migrate(settings);
      if (options.json) printJson({ migrations });
      else if (migrations.length === 0) print('nothing to do: the tables are those of this version');
      else print(`${counted(migrations.length, 'migration')} done: ${migrations.join(', ')}`);
    });
}
