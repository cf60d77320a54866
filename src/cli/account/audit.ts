/** `nameglass account audit`: prints the audit log. */
import type { Command } from 'commander';
import { readPositive } from '../argument-readers.ts';
import { printSelection, withSelection } from '../listing/selected-columns.ts';
import type { CliNeeds } from '../needs.ts';
import { printJson, printTable } from '../output.ts';
import { withSettings } from '../settings-options.ts';
import { withStores } from '../with-stores.ts';

const detailShown = 80;

export function addAudit(account: Command, needs: CliNeeds): void {
  const audit = account.command('audit').description('print the audit log: who changed what, newest first');
  withSelection(withSettings(audit))
    .argument('[account]', 'name of an account (default: all accounts)')
    .option('--limit <n>', 'maximum number of entries', readPositive, 100)
    .action((name: string | undefined, options) =>
      withStores(options, needs, async ({ accounts }) => {
        const range = { limit: options.limit as number, ...(name === undefined ? {} : { account: name }) };
        const entries = await accounts.listAudit(range);
        if (await printSelection(entries, options, needs)) return;
        if (options.json) printJson(entries);
        else {
          printTable(
            ['TIME', 'ACTOR', 'ACTION', 'ACCOUNT', 'USER', 'DETAIL'],
            entries.map((entry) => [
              new Date(entry.atMs).toISOString(),
              entry.actor,
              entry.action,
              entry.account,
              entry.username,
              truncated(JSON.stringify(entry.detail)),
            ]),
          );
        }
      }),
    );
}

function truncated(text: string): string {
  return text.length <= detailShown ? text : `${text.slice(0, detailShown)}… (--json shows all)`;
}
