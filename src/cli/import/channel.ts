/** `nameglass import channel` */
import type { Command } from 'commander';
import { type ChannelCounts, importChannel } from '../../collect/import-channel.ts';
import { harmless } from '../../model/harmless-text.ts';
import { fieldProblem, Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings.ts';
import { channelStream } from '../../model/stream-names.ts';
import { readInstant, readPositive, readWhole } from '../argument-readers.ts';
import { counted } from '../counted.ts';
import type { CliNeeds, Stores } from '../needs.ts';
import { print, printJson } from '../output.ts';
import { progressLine } from '../progress-line.ts';
import { withSettings } from '../settings-options.ts';
import { withStores } from '../with-stores.ts';
import { faultTeller } from './fault-teller.ts';
import { importIdOf } from './import-id.ts';
import { openInput } from './input-file.ts';

interface Options {
  readonly at?: number;
  readonly importId?: string;
  readonly faultsShown: number;
  readonly json?: boolean;
}

const help = `
Examples:
  nameglass import channel 212 new-domains.ndjson.gz
  generate-lines | nameglass import channel 212 - --import-id 2026-02-20

Lines of an NDJSON channel are JSON objects, one a line; others are any text. A channel only grows forward: with --at a time
before its last line, lines go where that one is. An import of a file, or under an --import-id, that was interrupted goes on
where it was when it is given again.
`;

export function addChannel(command: Command, needs: CliNeeds): void {
  withSettings(
    command.command('channel').description('lines for a batch channel, behind those that are there'),
  )
    .argument('<number>', 'the channel, as 212', readPositive)
    .argument('<file>', 'a file, plain or compressed with gzip or zstd; - reads standard input')
    .option('--at <time>', 'the minute that the lines belong to; now unless given', readInstant)
    .option(
      '--import-id <id>',
      'name of this import: what is durable under it is not appended again; a file has one by its contents',
    )
    .option('--faults-shown <n>', 'malformed lines told with their place', readWhole, 20)
    .option('--json', 'print the counts as JSON')
    .addHelpText('after', help)
    .action((channel: number, file: string, options: Options) =>
      withStores(
        options,
        needs,
        (stores, settings) => importFile(channel, file, options, stores, settings, needs),
        { create: true },
      ),
    );
}

async function importFile(
  channel: number,
  file: string,
  options: Options,
  { streams }: Pick<Stores, 'streams'>,
  settings: Settings,
  { clock }: Pick<CliNeeds, 'clock'>,
): Promise<void> {
  const mimetype = getMimetype(channel, settings);
  if (options.at !== undefined && options.at > clock.now()) {
    throw fieldProblem(
      'invalid-parameters',
      '--at',
      'is in the future, and a channel cannot go back from there',
    );
  }
  const { stat, bytes } = openInput(file);
  const idParts = ['channel', String(channel), options.at === undefined ? undefined : String(options.at)];
  const importId = options.importId ?? (stat?.isFile() ? await importIdOf(file, idParts) : undefined);
  await warnOfLaterLines(channel, options.at, streams);

  const progress = progressLine();
  const faults = faultTeller(options.faultsShown);
  try {
    const target = { channel, mimetype, importId };
    const counts = await importChannel(bytes(), target, {
      streams,
      now: () => options.at ?? clock.now(),
      onFault: (place, reason) => {
        progress.clear();
        faults.tell(place, reason);
      },
      onProgress: ({ read, appended }) =>
        progress.show(`${counted(read, 'line')} read, ${appended} appended`),
    });
    progress.clear();
    report(counts, importId, options);
  } finally {
    progress.clear();
    faults.end();
  }
}

function getMimetype(channel: number, { batch }: Settings): string {
  const declared = Object.hasOwn(batch.channels, channel) ? batch.channels[channel] : undefined;
  if (declared) return declared.mimetype;
  const names = Object.keys(batch.channels).join(', ');
  const how = `add ${channel} with description and mimetype to batch.channels in the settings file`;
  throw new Problem('not-found', `channel ${channel} is not declared (${names} are); to declare it, ${how}`);
}

async function warnOfLaterLines(
  channel: number,
  atMs: number | undefined,
  streams: Stores['streams'],
): Promise<void> {
  if (atMs === undefined) return;
  const state = await streams.findState(channelStream(channel));
  if (!state || atMs >= state.latestMinute * 60_000) return;
  const latest = new Date(state.latestMinute * 60_000).toISOString().slice(0, 16);
  process.stderr.write(`the channel has lines of ${latest}Z already: these go there, not where --at says\n`);
}

function report(
  { read, appended, malformed, before }: ChannelCounts,
  importId: string | undefined,
  options: Options,
) {
  if (options.json) {
    printJson({ read, appended, malformed, before, import_id: importId ?? null });
    return;
  }
  const skipped = malformed === 0 ? '' : `; ${counted(malformed, 'malformed line')} skipped`;
  const known = before === 0 ? '' : `; ${counted(before, 'line')} done with before`;
  if (before > 0 && appended + malformed === 0) print('already imported: nothing changed');
  else print(`imported: ${appended.toLocaleString('en')} of ${counted(read, 'line')}${skipped}${known}`);
  if (importId !== undefined) print(`import id: ${harmless(importId)}`);
}
