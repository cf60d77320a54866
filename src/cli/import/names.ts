/** `nameglass import names` */
import type { Command } from 'commander';
import { importNames, type NameCounts } from '../../collect/import-names.ts';
import { openNameIntake } from '../../collect/sources/name-intake.ts';
import { tellDiscoveries } from '../../collect/sources/tell-discoveries.ts';
import { Problem } from '../../model/problem.ts';
import { readInstant, readWhole } from '../argument-readers.ts';
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
  readonly seen?: number;
  readonly faultsShown: number;
  readonly json?: boolean;
}

const help = `
Examples:
  nameglass import names new-domains.txt.gz
  zcat seen.gz | cut -f2 | nameglass import names - --source partner --seen 2027-01-31T12:00:00Z

A line is one name of a host or domain, Unicode or punycode; "*." before it and a dot behind it do no harm. Domains that no source
told of before are told on the feed domaindiscovery, once, and matched with all monitors. Repeating an import changes nothing.
`;

export function addNames(command: Command, needs: CliNeeds): void {
  withSettings(command.command('names').description('names that were newly seen, one in a line'))
    .argument('<file>', 'a file, plain or compressed with gzip or zstd; - reads standard input')
    .option('--source <label>', 'who has seen them', readLabel, 'import')
    .option('--seen <time>', 'when they were seen; now unless given', readInstant)
    .option('--faults-shown <n>', 'malformed lines told with their place', readWhole, 20)
    .option('--json', 'print the counts as JSON')
    .addHelpText('after', help)
    .action((file: string, options: Options) =>
      withStores(options, needs, (stores) => importFile(file, options, stores, needs), { create: true }),
    );
}

async function importFile(
  file: string,
  { source, seen, faultsShown, json }: Options,
  { names, streams }: Pick<Stores, 'names' | 'streams'>,
  { clock }: Pick<CliNeeds, 'clock'>,
): Promise<void> {
  const { bytes } = openInput(file);
  const progress = progressLine();
  const faults = faultTeller(faultsShown);
  try {
    const counts = await importNames(bytes(), {
      intake: openNameIntake({ names, streams, clock }),
      source: `import:${source}`,
      seenMs: seen ?? clock.now(),
      onFault: (place, reason) => {
        progress.clear();
        faults.tell(place, reason);
      },
      onProgress: ({ read, fresh }) => progress.show(`${counted(read, 'line')} read, ${fresh} new domains`),
    });
    progress.show('telling what is new');
    await tellDiscoveries({ names, streams, clock });
    progress.clear();
    report(file, counts, json ?? false);
  } finally {
    progress.clear();
    faults.end();
  }
}

function report(file: string, counts: NameCounts, json: boolean): void {
  const { read, names, fresh, malformed } = counts;
  if (malformed > 0 && names === 0) {
    throw new Problem('malformed-request', `nothing in ${file} could be read; are they really names?`);
  }
  if (json) {
    printJson({ read, names, new_domains: fresh, malformed });
    return;
  }
  const skipped = malformed === 0 ? '' : `; ${counted(malformed, 'malformed line')} skipped`;
  print(`imported: ${counted(names, 'name')}, ${counted(fresh, 'new domain')}${skipped}`);
}
