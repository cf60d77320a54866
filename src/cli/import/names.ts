/** `nameglass import names`: imports newly observed names. */
import type { Command } from 'commander';
import { importNames, type NameCounts } from '../../collect/import-names.ts';
import { openNameIntake } from '../../collect/sources/name-intake.ts';
import { Problem } from '../../model/problem.ts';
import { publishDiscoveries } from '../../pipeline/publishing/publish-discoveries.ts';
import type { Stores } from '../../stores.ts';
import { readInstant, readLabel, readWhole } from '../argument-readers.ts';

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
  readonly seen?: number;
  readonly faultsShown: number;
  readonly json?: boolean;
}

const help = `
Examples:
  nameglass import names new-domains.txt.gz
  zcat seen.gz | cut -f2 | nameglass import names - --source partner --seen 2027-01-31T12:00:00Z

A line is one name of a host or domain, in Unicode or punycode; a leading "*." and a trailing dot are ignored. Domains that no source
has reported before are published once on the feed domaindiscovery and matched against all monitors. Imports are idempotent.
`;

export function addNames(command: Command, needs: CliNeeds): void {
  withSettings(command.command('names').description('import newly observed names, one per line'))
    .argument('<file>', 'a file, plain or compressed with gzip or zstd; - reads standard input')
    .option('--source <label>', 'label of the source of the names', readLabel, 'import')
    .option('--seen <time>', 'when the names were observed (default: now)', readInstant)
    .option('--faults-shown <n>', 'how many malformed lines to report', readWhole, 20)
    .option('--json', 'print the counts as JSON')
    .addHelpText('after', help)
    .action((file: string, options: Options) =>
      withStores(options, needs, (stores) => importFile(file, options, stores, needs), { create: true }),
    );
}

async function importFile(
  file: string,
  { source, seen, faultsShown, json }: Options,
  { names, streams, freeSpace }: Pick<Stores, 'names' | 'streams' | 'freeSpace'>,
  { clock }: Pick<CliNeeds, 'clock'>,
): Promise<void> {
  const { bytes } = openInput(file);
  const progress = progressLine();
  const errors = errorReporter(faultsShown);
  try {
    const counts = await importNames(whileRoom(bytes(), freeSpace), {
      intake: openNameIntake({ names, streams, clock }),
      source: `import:${source}`,
      seenMs: seen ?? clock.now(),
      onFault: (position, reason) => {
        progress.clear();
        errors.report(position, reason);
      },
      onProgress: ({ read, newDomains }) =>
        progress.show(`${counted(read, 'line')} read, ${newDomains} new domains`),
    });
    progress.show('publishing new domains');
    await publishDiscoveries({ names, streams, clock });
    progress.clear();
    report(file, counts, json ?? false);
  } finally {
    progress.clear();
    errors.end();
  }
}

function report(file: string, counts: NameCounts, json: boolean): void {
  const { read, names, newDomains, malformed } = counts;
  if (malformed > 0 && names === 0) {
    throw new Problem('malformed-request', `no line of ${file} could be read; does it contain names?`);
  }
  if (json) {
    printJson({ read, names, new_domains: newDomains, malformed });
    return;
  }
  const skipped = malformed === 0 ? '' : `; ${counted(malformed, 'malformed line')} skipped`;
  print(`imported: ${counted(names, 'name')}, ${counted(newDomains, 'new domain')}${skipped}`);
}
