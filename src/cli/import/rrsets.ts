/** `nameglass import rrsets`: imports passive DNS observations. */
import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  type ImportCounts,
  importRrsets,
  type RrsetFormat,
  rrsetFormats,
} from '../../collect/import-rrsets.ts';
import { sensorOfFormat } from '../../model/detect/sightings.ts';
import { parseName } from '../../model/dns/name.ts';
import type { WireName } from '../../model/dns/rrset.ts';
import { escapeForTerminal } from '../../model/escape-for-terminal.ts';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { NewlyObservedCounts } from '../../store/rrset-store.ts';
import type { Stores } from '../../stores.ts';
import { readInstant, readWhole } from '../argument-readers.ts';

import type { CliNeeds } from '../needs.ts';
import { counted, print, printJson } from '../output.ts';
import { progressLine } from '../progress-line.ts';
import { withSettings } from '../settings-options.ts';
import { withStores } from '../with-stores.ts';
import { errorReporter } from './error-reporter.ts';
import { importIdOf } from './import-id.ts';
import { openInput } from './input-file.ts';
import { publishImported } from './publish-imported.ts';
import { whileRoom } from './while-room.ts';

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
  withSettings(command.command('rrsets').description('import passive DNS observations'))
    .argument('<file>', 'a file, plain or compressed with gzip or zstd; - reads standard input')
    .addOption(
      new Option('--format <format>', 'format of the file').choices(rrsetFormats).makeOptionMandatory(),
    )
    .option('--origin <zone>', 'origin of a zone file without $ORIGIN', readZone)
    .option('--sensor <id>', 'id of the sensor; part of the import id')
    .option('--seen <time>', 'when a zone file was fetched (default: its modification time)', readInstant)
    .option('--import-id <id>', 'id of this import, which makes it idempotent (default: a hash of the file)')
    .option('--fold-wildcards', 'fold names synthesized from a wildcard into one, _WILDCARD_')
    .option('--history', 'historical data: do not publish it as newly observed')
    .option('--faults-shown <n>', 'how many malformed lines to report', readWhole, 20)
    .option('--json', 'print the counts as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  nameglass import rrsets export.ndjson.gz --format cof\n' +
        '  nameglass import rrsets example.zone --format zone --origin example.com\n' +
        '  dnsdbq -r www.example.com -j | nameglass import rrsets - --format cof\n' +
        '\nNewly observed names and RRsets are published in channels and feeds; --history imports old data without publishing it.\n' +
        'An interrupted import of a file, or with an --import-id, resumes from its checkpoint when it is repeated.\n',
    )
    .action((file: string, options: Options) =>
      withStores(
        options,
        needs,
        (stores, settings) => {
          const foldWildcards = options.foldWildcards ?? settings.pdns.foldWildcards;
          return importFile(file, { ...options, foldWildcards }, { ...needs, stores, settings });
        },
        { create: true },
      ),
    );
}

interface ImportNeeds {
  readonly stores: Stores;
  readonly settings: Settings;
  readonly clock: CliNeeds['clock'];
}

async function importFile(
  file: string,
  options: Options,
  { stores, settings, clock }: ImportNeeds,
): Promise<void> {
  const { rrsets } = stores;
  const { stat, bytes } = openInput(file);
  const nowSeconds = Math.floor(clock.now() / 1000);
  const seenMs = options.seen ?? Math.min(stat?.mtimeMs ?? clock.now(), clock.now());
  const seenSeconds = Math.floor(seenMs / 1000);
  const importId =
    options.importId ??
    (stat?.isFile() ? await importIdOf(file, partsOfId(options, seenSeconds)) : undefined);
  // What is new is counted by import, so one that can never be repeated has an id too, which is not shown.
  const countedId = importId ?? randomUUID();
  const before = await rrsets.countNewlyObserved(countedId);
  const publish = async () => {
    if (options.history) return undefined;
    const { domains, hosts } = await publishImported(countedId, { ...stores, settings, clock });
    return { domains: domains - before.domains, hosts: hosts - before.hosts };
  };
  if (importId !== undefined && (await rrsets.findImport(importId))?.complete) {
    const counts = { read: 0, observations: 0, malformed: 0 };
    report(
      { counts, published: await publish(), done: 'already imported: nothing changed', importId },
      options,
    );
    return;
  }

  const sensor = sensorOfFormat(options.format);
  if (sensor) await stores.sightings.registerImport(countedId, sensor);
  const intake = await rrsets.openIntake({ importId: countedId, publish: !options.history });
  const progress = progressLine();
  const errors = errorReporter(options.faultsShown);
  const counts = await importRrsets(
    whileRoom(bytes(), stores.freeSpace),
    {
      format: options.format,
      ...(options.origin ? { origin: options.origin } : {}),
      seenSeconds,
      nowSeconds,
      foldsWildcards: options.foldWildcards === true,
    },
    {
      intake,
      onFault: (position, reason) => {
        progress.clear();
        errors.report(position, reason);
      },
      onProgress: ({ read, observations }) =>
        progress.show(`${read.toLocaleString('en')} read, ${observations.toLocaleString('en')} observations`),
    },
  );
  progress.show('writing');
  if (counts.observations === 0 && counts.malformed > 0) {
    progress.clear();
    errors.end();
    throw new Problem(
      'malformed-request',
      `nothing in ${file} could be read; is its format really ${options.format}?`,
    );
  }
  await intake.finish();
  progress.show('publishing new observations');
  const published = await publish();
  progress.show('compacting');
  await rrsets.compact();
  progress.clear();
  errors.end();
  report({ counts, published, done: 'imported', importId }, options);
}

/** The time is part of the id of a zone file: fetching an unchanged zone again is a new observation. */
function partsOfId({ format, sensor, origin }: Options, seenSeconds: number) {
  return [format, sensor, origin, format === 'zone' ? String(seenSeconds) : undefined];
}

interface ImportOutcome {
  readonly counts: ImportCounts;
  readonly published: NewlyObservedCounts | undefined;
  /** The beginning of the summary line. */
  readonly done: string;
  readonly importId: string | undefined;
}

function report({ counts, published, done, importId }: ImportOutcome, options: Options): void {
  const { read, observations, malformed } = counts;
  if (options.json) {
    const fresh = { new_domains: published?.domains ?? null, new_hostnames: published?.hosts ?? null };
    printJson({ read, observations, malformed, ...fresh, import_id: importId ?? null });
    return;
  }
  const unit = options.format === 'dnstap' ? 'frame' : 'line';
  const skipped = malformed === 0 ? '' : `; ${counted(malformed, `malformed ${unit}`)} skipped`;
  print(`${done}: ${counted(observations, 'observation')} of ${counted(read, unit)}${skipped}`);
  if (published && published.hosts > 0) {
    print(`newly observed: ${counted(published.domains, 'domain')}, ${counted(published.hosts, 'hostname')}`);
  }
  if (importId !== undefined) print(`import id: ${escapeForTerminal(importId)}`);
  if (read > 0 && observations === 0)
    print(`No observations were found; is its format really ${options.format}?`);
}

function readZone(text: string): WireName {
  const name = parseName(text);
  if (!name) throw new InvalidArgumentError('Expected a domain name such as example.com.');
  return name;
}
