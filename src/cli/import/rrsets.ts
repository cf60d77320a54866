/** `nameglass import rrsets` */
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  type ImportCounts,
  importRrsets,
  type RrsetFormat,
  rrsetFormats,
} from '../../collect/import-rrsets.ts';
import { parseName } from '../../model/dns/name.ts';
import type { WireName } from '../../model/dns/rrset.ts';
import { harmless } from '../../model/harmless-text.ts';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings.ts';
import { readInstant, readWhole } from '../argument-readers.ts';
import { counted } from '../counted.ts';
import type { CliNeeds, Stores } from '../needs.ts';
import { print, printJson } from '../output.ts';
import { progressLine } from '../progress-line.ts';
import { withSettings } from '../settings-options.ts';
import { withStores } from '../with-stores.ts';
import { faultTeller } from './fault-teller.ts';
import { importIdOf } from './import-id.ts';
import { openInput } from './input-file.ts';
import { type ToldHere, tellImported } from './tell-imported.ts';

interface Options {
  readonly format: RrsetFormat;
  readonly origin?: WireName;
  readonly sensor?: string;
  readonly seen?: number;
  readonly importId?: string;
  readonly foldWildcards?: boolean;
  readonly history?: boolean;
  readonly faultsShown: number;
  readonly json?: boolean;
}

export function addRrsets(command: Command, needs: CliNeeds): void {
  withSettings(command.command('rrsets').description('passive DNS observations, merged with what is there'))
    .argument('<file>', 'a file, plain or compressed with gzip or zstd; - reads standard input')
    .addOption(
      new Option('--format <format>', 'what the file holds').choices(rrsetFormats).makeOptionMandatory(),
    )
    .option('--origin <zone>', 'zone of a zone file that does not name it', readZone)
    .option('--sensor <id>', 'who observed; part of the import id')
    .option('--seen <time>', 'when a zone file was taken; its own time of change unless given', readInstant)
    .option(
      '--import-id <id>',
      'name of this import: what is durable under it does not count again; a file has one by its contents',
    )
    .option('--fold-wildcards', 'fold names that a wildcard made up into one, _WILDCARD_')
    .option('--history', 'what the file says is history: nothing of it is told as new')
    .option('--faults-shown <n>', 'malformed lines told with their place', readWhole, 20)
    .option('--json', 'print the counts as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  nameglass import rrsets export.ndjson.gz --format cof\n' +
        '  nameglass import rrsets example.zone --format zone --origin example.com\n' +
        '  dnsdbq -r www.example.com -j | nameglass import rrsets - --format cof\n' +
        '\nWhat is seen for the first time is told in channels and feeds; --history brings in years of it in silence.\n' +
        'An import of a file, or under an --import-id, that was interrupted goes on where it was when it is given again.\n',
    )
    .action((file: string, options: Options) =>
      withStores(
        options,
        needs,
        (stores, settings) => {
          const foldWildcards = options.foldWildcards ?? settings.pdns.foldWildcards;
          return importFile(file, { ...options, foldWildcards }, stores, settings, needs);
        },
        { create: true },
      ),
    );
}

async function importFile(
  file: string,
  options: Options,
  stores: Stores,
  settings: Settings,
  needs: CliNeeds,
): Promise<void> {
  const { rrsets } = stores;
  const tell = async () => (options.history ? undefined : tellImported(stores, settings, needs.clock));
  const { stat, bytes } = openInput(file);
  const nowSeconds = Math.floor(needs.clock.now() / 1000);
  const seenMs = options.seen ?? Math.min(stat?.mtimeMs ?? needs.clock.now(), needs.clock.now());
  const seenSeconds = Math.floor(seenMs / 1000);
  const importId =
    options.importId ??
    (stat?.isFile() ? await importIdOf(file, partsOfId(options, seenSeconds)) : undefined);
  if (importId !== undefined && (await rrsets.findImport(importId))?.complete) {
    const counts = { read: 0, observations: 0, malformed: 0 };
    report(counts, await tell(), 'already imported: nothing changed', importId, options);
    return;
  }

  const intake = await rrsets.openIntake({ importId, news: !options.history });
  const progress = progressLine();
  const faults = faultTeller(options.faultsShown);
  const counts = await importRrsets(
    bytes(),
    {
      format: options.format,
      ...(options.origin ? { origin: options.origin } : {}),
      seenSeconds,
      nowSeconds,
      foldsWildcards: options.foldWildcards === true,
    },
    {
      intake,
      onFault: (place, reason) => {
        progress.clear();
        faults.tell(place, reason);
      },
      onProgress: ({ read, observations }) =>
        progress.show(`${read.toLocaleString('en')} read, ${observations.toLocaleString('en')} observations`),
    },
  );
  progress.show('writing');
  if (counts.observations === 0 && counts.malformed > 0) {
    progress.clear();
    faults.end();
    throw new Problem(
      'malformed-request',
      `nothing in ${file} could be read; is it really ${options.format}?`,
    );
  }
  await intake.finish();
  progress.show('telling what is new');
  const told = await tell();
  progress.show('merging');
  await rrsets.settle();
  progress.clear();
  faults.end();
  report(counts, told, 'imported', importId, options);
}

/** A zone that has not changed is a new observation when it is taken again. */
function partsOfId({ format, sensor, origin }: Options, seenSeconds: number) {
  return [format, sensor, origin, format === 'zone' ? String(seenSeconds) : undefined];
}

function report(
  { read, observations, malformed }: ImportCounts,
  told: ToldHere | undefined,
  done: string,
  importId: string | undefined,
  options: Options,
) {
  if (options.json) {
    const news = { new_domains: told?.domains ?? null, new_hostnames: told?.hosts ?? null };
    printJson({ read, observations, malformed, ...news, import_id: importId ?? null });
    return;
  }
  const unit = options.format === 'dnstap' ? 'frame' : 'line';
  const skipped = malformed === 0 ? '' : `; ${counted(malformed, `malformed ${unit}`)} skipped`;
  print(`${done}: ${counted(observations, 'observation')} of ${counted(read, unit)}${skipped}`);
  if (told && told.hosts > 0) {
    print(`newly observed: ${counted(told.domains, 'domain')}, ${counted(told.hosts, 'hostname')}`);
  }
  if (importId !== undefined) print(`import id: ${harmless(importId)}`);
  if (read > 0 && observations === 0) print(`Nothing was found: is it really ${options.format}?`);
}

function readZone(text: string): WireName {
  const name = parseName(text);
  if (!name) throw new InvalidArgumentError('Say a domain name such as example.com.');
  return name;
}
