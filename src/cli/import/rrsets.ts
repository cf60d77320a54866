/** `nameglass import rrsets` */
import { createReadStream, type Stats, statSync } from 'node:fs';
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
import { readInstant, readWhole } from '../argument-readers.ts';
import type { CliNeeds, Stores } from '../needs.ts';
import { print, printJson } from '../output.ts';
import { progressLine } from '../progress-line.ts';
import { withSettings } from '../settings-options.ts';
import { withStores } from '../with-stores.ts';
import { importIdOf } from './import-id.ts';

interface Options {
  readonly format: RrsetFormat;
  readonly origin?: WireName;
  readonly sensor?: string;
  readonly seen?: number;
  readonly importId?: string;
  readonly foldWildcards?: boolean;
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
    .option('--faults-shown <n>', 'malformed lines told with their place', readWhole, 20)
    .option('--json', 'print the counts as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  nameglass import rrsets export.ndjson.gz --format cof\n' +
        '  nameglass import rrsets example.zone --format zone --origin example.com\n' +
        '  dnsdbq -r www.example.com -j | nameglass import rrsets - --format cof\n' +
        '\nAn import of a file, or under an --import-id, that was interrupted goes on where it was when it is given again.\n',
    )
    .action((file: string, options: Options) =>
      withStores(
        options,
        needs,
        (stores, { pdns }) =>
          importFile(
            file,
            { ...options, foldWildcards: options.foldWildcards ?? pdns.foldWildcards },
            stores,
            needs,
          ),
        { create: true },
      ),
    );
}

async function importFile(
  file: string,
  options: Options,
  { rrsets }: Stores,
  needs: CliNeeds,
): Promise<void> {
  const stat = file === '-' ? undefined : statOf(file);
  const nowSeconds = Math.floor(needs.clock.now() / 1000);
  const seenMs = options.seen ?? Math.min(stat?.mtimeMs ?? needs.clock.now(), needs.clock.now());
  const seenSeconds = Math.floor(seenMs / 1000);
  const importId =
    options.importId ??
    (stat?.isFile() ? await importIdOf(file, partsOfId(options, seenSeconds)) : undefined);
  if (importId !== undefined && (await rrsets.findImport(importId))?.complete) {
    report(
      { read: 0, observations: 0, malformed: 0 },
      'already imported: nothing changed',
      importId,
      options,
    );
    return;
  }

  const intake = await rrsets.openIntake(importId);
  const progress = progressLine();
  const faults = faultTeller(options.faultsShown);
  const bytes = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 1 << 20 });
  const counts = await importRrsets(
    bytes,
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
  progress.show('merging');
  await rrsets.settle();
  progress.clear();
  faults.end();
  report(counts, 'imported', importId, options);
}

/** A zone that has not changed is a new observation when it is taken again. */
function partsOfId({ format, sensor, origin }: Options, seenSeconds: number) {
  return [format, sensor, origin, format === 'zone' ? String(seenSeconds) : undefined];
}

function report(
  { read, observations, malformed }: ImportCounts,
  done: string,
  importId: string | undefined,
  options: Options,
) {
  if (options.json) {
    printJson({ read, observations, malformed, import_id: importId ?? null });
    return;
  }
  const unit = options.format === 'dnstap' ? 'frame' : 'line';
  const skipped = malformed === 0 ? '' : `; ${counted(malformed, `malformed ${unit}`)} skipped`;
  print(`${done}: ${counted(observations, 'observation')} of ${counted(read, unit)}${skipped}`);
  if (importId !== undefined) print(`import id: ${harmless(importId)}`);
  if (read > 0 && observations === 0) print(`Nothing was found: is it really ${options.format}?`);
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** The first malformed places in full, then how many more. */
function faultTeller(shownMax: number) {
  let faults = 0;
  return {
    tell: (place: string, reason: string) => {
      faults += 1;
      if (faults <= shownMax) process.stderr.write(`${place}: ${harmless(reason)}\n`);
    },
    end: () => {
      if (faults > shownMax)
        process.stderr.write(`… and ${faults - shownMax} more (--faults-shown N shows more)\n`);
    },
  };
}

function statOf(file: string): Stats {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat) throw new Problem('not-found', `there is no file ${file}`);
  if (stat.isDirectory()) throw new Problem('not-found', `${file} is a directory`);
  return stat;
}

function readZone(text: string): WireName {
  const name = parseName(text);
  if (!name) throw new InvalidArgumentError('Say a domain name such as example.com.');
  return name;
}
