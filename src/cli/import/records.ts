/** `nameglass import records`: imports domain records. */
import type { Command } from 'commander';
import { importRecords, type RecordCounts } from '../../collect/import-records.ts';
import { Problem } from '../../model/problem.ts';
import type { Stores } from '../../stores.ts';
import { readLabel, readWhole } from '../argument-readers.ts';

import type { CliNeeds } from '../needs.ts';
import { counted, print, printJson } from '../output.ts';
import { progressLine } from '../progress-line.ts';
import { withSettings } from '../settings-options.ts';
import { withStores } from '../with-stores.ts';
import { errorReporter } from './error-reporter.ts';
import { openInput } from './input-file.ts';
import { whileRoom } from './while-room.ts';

interface Options {
  readonly source: string;
  readonly faultsShown: number;
  readonly json?: boolean;
}

/** The text indexes are merged if at least one record in this many is new. */
const mergeShare = 4;

const help = `
Examples:
  nameglass import records domains.ndjson.gz
  echo '{"domain":"example.com","ip":[{"address":"192.0.2.1"}]}' | nameglass import records -

A line is one record, a JSON object; docs/api/record.md describes its members. A record replaces the previous record of its domain.
Imports are idempotent.
`;

export function addRecords(command: Command, needs: CliNeeds): void {
  withSettings(command.command('records').description('import domain records, replacing existing ones'))
    .argument('<file>', 'a file, plain or compressed with gzip or zstd; - reads standard input')
    .option('--source <label>', 'label of the source, shown in the history of a domain', readLabel, 'import')
    .option('--faults-shown <n>', 'how many malformed lines to report', readWhole, 20)
    .option('--json', 'print the counts as JSON')
    .addHelpText('after', help)
    .action((file: string, options: Options) =>
      withStores(options, needs, (stores) => importFile(file, options, stores, needs), { create: true }),
    );
}

async function importFile(
  file: string,
  { source, faultsShown, json }: Options,
  { domains, freeSpace }: Pick<Stores, 'domains' | 'freeSpace'>,
  { clock }: Pick<CliNeeds, 'clock'>,
): Promise<void> {
  const { bytes } = openInput(file);
  const progress = progressLine();
  const errors = errorReporter(faultsShown);
  try {
    const counts = await importRecords(whileRoom(bytes(), freeSpace), {
      domains,
      source,
      now: () => clock.now(),
      onFault: (position, reason) => {
        progress.clear();
        errors.report(position, reason);
      },
      onProgress: ({ read, added, changed }) =>
        progress.show(`${counted(read, 'line')} read, ${added} added, ${changed} changed`),
    });
    progress.show('merging the index');
    await domains.mergePostings();
    // Merging the indexes of a large store for a few records would take longer than importing them.
    if (counts.added * mergeShare >= (await domains.countNames())) {
      progress.show('merging text indexes');
      await domains.mergeTextIndexes();
    }
    progress.clear();
    report(file, counts, json ?? false);
  } finally {
    progress.clear();
    errors.end();
  }
}

function report(file: string, counts: RecordCounts, json: boolean): void {
  const { read, added, changed, unchanged, malformed } = counts;
  if (malformed > 0 && added + changed + unchanged === 0) {
    throw new Problem('malformed-request', `no line of ${file} could be read; does it contain records?`);
  }
  if (json) {
    printJson({ read, added, changed, unchanged, malformed });
    return;
  }
  const skipped = malformed === 0 ? '' : `; ${counted(malformed, 'malformed line')} skipped`;
  const words = [`${counted(added, 'record')} added`, `${changed} changed`, `${unchanged} unchanged`];
  print(`imported: ${words.join(', ')}${skipped}`);
}
