/** `nameglass import channel`: appends lines to a batch channel. */

import type { Command } from 'commander';
import { type ChannelCounts, importChannel } from '../../collect/import-channel.ts';
import { minuteMs } from '../../model/durations.ts';
import { escapeForTerminal } from '../../model/escape-for-terminal.ts';
import { fieldProblem, Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { channelStream } from '../../model/stream-names.ts';
import type { Stores } from '../../stores.ts';
import { readInstant, readPositive, readWhole } from '../argument-readers.ts';

import type { CliNeeds } from '../needs.ts';
import { counted, print, printJson } from '../output.ts';
import { progressLine } from '../progress-line.ts';
import { withSettings } from '../settings-options.ts';
import { withStores } from '../with-stores.ts';
import { errorReporter } from './error-reporter.ts';
import { importIdOf } from './import-id.ts';
import { openInput } from './input-file.ts';
import { whileRoom } from './while-room.ts';

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

Lines of an NDJSON channel are JSON objects; lines of other channels are any text. A channel is append-only: if --at is before its
last line, the new lines get the minute of that line. An interrupted import of a file, or with an --import-id, resumes from its
checkpoint when it is repeated.
`;

export function addChannel(command: Command, needs: CliNeeds): void {
  withSettings(command.command('channel').description('append lines to a batch channel'))
    .argument('<number>', 'number of the channel, such as 212', readPositive)
    .argument('<file>', 'a file, plain or compressed with gzip or zstd; - reads standard input')
    .option('--at <time>', 'the minute that the lines belong to (default: now)', readInstant)
    .option('--import-id <id>', 'id of this import, which makes it idempotent (default: a hash of the file)')
    .option('--faults-shown <n>', 'how many malformed lines to report', readWhole, 20)
    .option('--json', 'print the counts as JSON')
    .addHelpText('after', help)
    .action((channel: number, file: string, options: Options) =>
      withStores(
        options,
        needs,
        (stores, settings) => importFile({ channel, file, options, settings }, stores, needs),
        { create: true },
      ),
    );
}

interface ChannelImport {
  readonly channel: number;
  readonly file: string;
  readonly options: Options;
  readonly settings: Settings;
}

async function importFile(
  { channel, file, options, settings }: ChannelImport,
  { streams, freeSpace }: Pick<Stores, 'streams' | 'freeSpace'>,
  { clock }: Pick<CliNeeds, 'clock'>,
): Promise<void> {
  const mimetype = getMimetype(channel, settings);
  if (options.at !== undefined && options.at > clock.now()) {
    throw fieldProblem(
      'invalid-parameters',
      '--at',
      'is in the future, and a channel cannot go back afterwards',
    );
  }
  const { stat, bytes } = openInput(file);
  const idParts = ['channel', String(channel), options.at === undefined ? undefined : String(options.at)];
  const importId = options.importId ?? (stat?.isFile() ? await importIdOf(file, idParts) : undefined);
  await warnOfLaterLines(channel, options.at, streams);

  const progress = progressLine();
  const errors = errorReporter(options.faultsShown);
  try {
    const target = { channel, mimetype, importId };
    const counts = await importChannel(whileRoom(bytes(), freeSpace), target, {
      streams,
      now: () => options.at ?? clock.now(),
      onFault: (position, reason) => {
        progress.clear();
        errors.report(position, reason);
      },
      onProgress: ({ read, appended }) =>
        progress.show(`${counted(read, 'line')} read, ${appended} appended`),
    });
    progress.clear();
    report(counts, importId, options);
  } finally {
    progress.clear();
    errors.end();
  }
}

function getMimetype(channel: number, { batch }: Settings): string {
  const configured = Object.hasOwn(batch.channels, channel) ? batch.channels[channel] : undefined;
  if (configured) return configured.mimetype;
  const names = Object.keys(batch.channels).join(', ');
  const how = `add ${channel} with description and mimetype to batch.channels in the settings file`;
  throw new Problem(
    'not-found',
    `channel ${channel} is not configured (${names} are); to configure it, ${how}`,
  );
}

async function warnOfLaterLines(
  channel: number,
  atMs: number | undefined,
  streams: Stores['streams'],
): Promise<void> {
  if (atMs === undefined) return;
  const state = await streams.findState(channelStream(channel));
  if (!state || atMs >= state.latestMinute * minuteMs) return;
  const latest = new Date(state.latestMinute * minuteMs).toISOString().slice(0, 16);
  process.stderr.write(
    `the channel already has lines of ${latest}Z: the new lines get that minute instead of --at\n`,
  );
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
  const known = before === 0 ? '' : `; ${counted(before, 'line')} imported before`;
  if (before > 0 && appended + malformed === 0) print('already imported: nothing changed');
  else print(`imported: ${appended.toLocaleString('en')} of ${counted(read, 'line')}${skipped}${known}`);
  if (importId !== undefined) print(`import id: ${escapeForTerminal(importId)}`);
}
