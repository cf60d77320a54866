/** `nameglass risk lists`: prints the reputation lists, their size, and when each was last read. */
import type { Command } from 'commander';
import { secondText } from '../../model/feed/second.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { readWellKnownDomains } from '../../product/risk/well-known-domains.ts';
import type { ReputationList } from '../../store/risk-store.ts';
import type { CliNeeds } from '../needs.ts';
import { print, printJson, printTable } from '../output.ts';
import { withSettings } from '../settings-options.ts';
import { withStores } from '../with-stores.ts';

const help = `
Lists are configured in the settings file:

  risk:
    lists:
      - name: own-allowed           # good: score 0, overrides other lists
        location: /etc/nameglass/allowed.txt
        label: good
      - name: top-sites             # rank,domain per line, or in order of popularity
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
      - name: sharing-group         # the directory of manifest.json
        location: https://misp.example/feed/
        format: misp
        label: malware

A running server reads each list at its start and every hour, if it has changed. A host counts only if it is a registrable domain or its
www; a URL counts by its host. See docs/risk.md.
`;

export function addRiskLists(risk: Command, needs: CliNeeds): void {
  withSettings(risk.command('lists').description('show the reputation lists: bad, good and popular domains'))
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    // Options that `risk` also has, such as --json, are parsed by `risk`.
    .action((_, self: Command) => {
      const options = self.optsWithGlobals<{ readonly json?: boolean }>();
      return withStores(options, needs, async ({ risks }, settings) => {
        const lists = shownLists(await risks.listLists(), settings.risk.lists);
        if (options.json) printJson(lists);
        else {
          printLists(lists);
          printWellKnown(settings.risk);
        }
      });
    });
}

interface ShownList {
  readonly name: string;
  readonly label: string;
  readonly domains: number;
  readonly last_read: string | null;
}

/** The configured lists in their order, read or not; then lists that are stored but no longer configured. */
function shownLists(
  known: readonly ReputationList[],
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

function printLists(lists: readonly ShownList[]): void {
  if (lists.length === 0) print('No lists are configured. --help shows how.');
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

function printWellKnown({ wellKnownDomains }: Settings['risk']): void {
  const count = readWellKnownDomains().size.toLocaleString('en');
  if (wellKnownDomains)
    print(`\n${count} well-known domains of the package score 0 too, unless a list names them as bad.`);
  else
    print(`\nThe ${count} well-known domains of the package are not in use: risk.wellKnownDomains is false.`);
}
