/** `nameglass risk lists`: the lists of known domains, what is on them, and when each was last read. */
import type { Command } from 'commander';
import { secondText } from '../../model/feed/second.ts';
import type { Settings } from '../../model/settings.ts';
import type { KnownList } from '../../store/risk-store.ts';
import type { CliNeeds } from '../needs.ts';
import { print, printJson, printTable } from '../output.ts';
import { withSettings } from '../settings-options.ts';
import { withStores } from '../with-stores.ts';

const help = `
Lists are settings. In the file of settings:

  risk:
    lists:
      - name: own-allowed           # good: score 0, whatever others say
        location: /etc/nameglass/allowed.txt
        label: good
      - name: top-sites             # rank,domain a line, or in the order of popularity
        location: https://lists.example/top-1m.csv.gz
        label: popular
        everyMinutes: 1440
      - name: phishing-reports      # the URL is in the third column
        location: https://lists.example/reports.csv
        format: csv
        column: 3
        label: phishing
        weight: 0.9
        keepDays: 30
      - name: sharing-group         # where manifest.json lies
        location: https://misp.example/feed/
        format: misp
        label: malware

A running server reads each of them at its start and every hour, if it has changed. Of a host only the domain itself and www count, of a
URL the host. docs/risk.md tells the rest.
`;

export function addRiskLists(risk: Command, needs: CliNeeds): void {
  withSettings(risk.command('lists').description('show the lists of known bad, good and popular domains'))
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    // What `risk` itself takes too, as --json, ends up there.
    .action((_, self: Command) => {
      const options = self.optsWithGlobals<{ readonly json?: boolean }>();
      return withStores(options, needs, async ({ risks }, settings) => {
        const lists = shownLists(await risks.listLists(), settings.risk.lists);
        if (options.json) printJson(lists);
        else tell(lists);
      });
    });
}

interface ShownList {
  readonly name: string;
  readonly label: string;
  readonly domains: number;
  readonly last_read: string | null;
}

/** Those of the settings in their order, read or not; then those that only the data know of. */
function shownLists(
  known: readonly KnownList[],
  configured: Settings['risk']['lists'],
): readonly ShownList[] {
  const byName = new Map(known.map((one) => [one.list, one] as const));
  const names = new Set([...configured.map(({ name }) => name), ...byName.keys()]);
  const labels = new Map(configured.map(({ name, label }) => [name, label] as const));
  return [...names].map((name) => {
    const { label = labels.get(name) ?? '', domains = 0, readMs } = byName.get(name) ?? {};
    const lastRead = readMs === undefined ? null : secondText(Math.floor(readMs / 1000));
    return { name, label, domains, last_read: lastRead };
  });
}

function tell(lists: readonly ShownList[]): void {
  if (lists.length === 0) print('There are no lists. --help shows how to name some.');
  else
    printTable(
      ['name', 'label', 'domains', 'last read'],
      lists.map(({ name, label, domains, last_read: lastRead }) => [
        name,
        label,
        domains.toLocaleString('en'),
        lastRead ?? 'never',
      ]),
    );
}
