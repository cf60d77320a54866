/** `nameglass import records` */
import type { Command } from 'commander';
import { importRecords, type RecordCounts } from '../../collect/import-records.ts';
import { Problem } from '../../model/problem.ts';
import { readWhole } from '../argument-readers.ts';
import { counted } from '../counted.ts';
import type { CliNeeds, Stores } from '../needs.ts';
import { print, printJson } from '../output.ts';
import { progressLine } from '../progress-line.ts';
import { withSettings } from '../settings-options.ts';
import { withStores } from '../with-stores.ts';
import { faultTeller } from './fault-teller.ts';
import { openInput } from './input-file.ts';
import { readLabel } from './label.ts';

interface Options {
  readonly source: string;
  readonly faultsShown: number;
  readonly json?: boolean;
}

/** Of all records: where at least one in so many is new, searches gain by it. */
const settledShare = 4;

const help = `
Examples:
  nameglass import records domains.ndjson.gz
  echo '{"domain":"example.com","ip":[{"address":"192.0.2.1"}]}' | nameglass import records -

A line is one record, a JSON object; docs/api/record.md tells its members. A record takes the place of the one that was there
for its domain. Repeating an import changes nothing.
`;

export function addRecords(command: Command, needs: CliNeeds): void {
  withSettings(command.command('records').description('domain records, in place of those that are there'))
    .argument('<file>', 'a file, plain or compressed with gzip or zstd; - reads standard input')
    .option('--source <label>', 'who says so; the history of a domain names it', readLabel, 'import')
    .option('--faults-shown <n>', 'malformed lines told with their place', readWhole, 20)
    .option('--json', 'print the counts as JSON')
    .addHelpText('after', help)
    .action((file: string, options: Options) =>
      withStores(options, needs, (stores) => importFile(file, options, stores, needs), { create: true }),
    );
}

async function importFile(
  file: string,
  { source, faultsShown, json }: Options,
  { domains }: Pick<Stores, 'domains'>,
  { clock }: Pick<CliNeeds, 'clock'>,
): Promise<void> {
  const { bytes } = openInput(file);
  const progress = progressLine();
  const faults = faultTeller(faultsShown);
  try {
    const counts = await importRecords(bytes(), {
      domains,
      source,
      now: () => clock.now(),
      onFault: (place, reason) => {
        progress.clear();
        faults.tell(place, reason);
      },
      onProgress: ({ read, added, changed }) =>
        progress.show(`${counted(read, 'line')} read, ${added} added, ${changed} changed`),
    });
    // To put the indexes of a great store in order for the sake of a few records would take longer than they did.
    if (counts.added * settledShare >= (await domains.countNames())) {
      progress.show('putting the indexes in order');
      await domains.settle();
    }
    progress.clear();
    report(file, counts, json ?? false);
  } finally {
    progress.clear();
    faults.end();
  }
}

function report(file: string, counts: RecordCounts, json: boolean): void {
  const { read, added, changed, unchanged, malformed } = counts;
  if (malformed > 0 && added + changed + unchanged === 0) {
    throw new Problem('malformed-request', `nothing in ${file} could be read; are they really records?`);
  }
  if (json) {
    printJson({ read, added, changed, unchanged, malformed });
    return;
  }
  const skipped = malformed === 0 ? '' : `; ${counted(malformed, 'malformed line')} skipped`;
  const words = [`${counted(added, 'record')} added`, `${changed} changed`, `${unchanged} unchanged`];
  print(`imported: ${words.join(', ')}${skipped}`);
}
