/** `nameglass restore`: a new data directory from a backup. */
import { createReadStream, openSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { escapeForTerminal } from '../../model/escape-for-terminal.ts';
import type { RestoreSummary } from '../../store/backup.ts';
import { becomeDataOwner } from '../data-owner.ts';
import type { CliNeeds } from '../needs.ts';
import { counted, print, printJson } from '../output.ts';
import { progressLine } from '../progress-line.ts';
import { type SettingsOptions, startConfigOf, withSettings } from '../settings-options.ts';
import { lineOf } from '../verify/verify-data.ts';
import { progressText } from './backup-command.ts';
import { bytesText } from './bytes-text.ts';
import { readPassphrase, readSecretFile } from './passphrase.ts';

interface RestoreOptions extends SettingsOptions {
  readonly passphraseFile?: string;
  readonly secretFrom?: string;
  readonly json?: boolean;
}

export function addRestore(program: Command, needs: CliNeeds): void {
  withSettings(
    program
      .command('restore')
      .argument(
        '<from>',
        'the directory of a backup, its tar archive, or - for an archive on standard input',
      ),
  )
    .option('--passphrase-file <file>', 'open the sealed server secret with the passphrase in this file')
    .option('--secret-from <file>', 'the server secret, where it was kept apart')
    .option('--json', 'print JSON')
    .action((from: string, options: RestoreOptions) => restore(from, options, needs));
}

async function restore(from: string, options: RestoreOptions, needs: CliNeeds): Promise<void> {
  const { passphraseFile, secretFrom, json } = options;
  const { data } = startConfigOf(options, needs).settings;
  // What root alone may read is read before the command becomes another user.
  const given = {
    from: sourceOf(from),
    passphrase: passphraseFile === undefined ? undefined : readPassphrase(passphraseFile),
    secret: secretFrom === undefined ? undefined : readSecretFile(secretFrom),
  };
  becomeDataOwner(data);
  const progress = progressLine();
  const summary = await (await needs.loadBackups())
    .restore({
      ...given,
      data,
      onProgress: (state) => progress.show(progressText(state)),
    })
    .finally(() => progress.clear());
  if (json) printJson({ ...summary, data });
  else describe(summary, data);
}

function sourceOf(from: string): string | AsyncIterable<Uint8Array> {
  if (from === '-') return process.stdin;
  return statSync(from).isDirectory() ? from : createReadStream(from, { fd: openSync(from, 'r') });
}

function describe(summary: RestoreSummary, data: string): void {
  const { files, bytes, madeAt, madeBy, without, hasSecret, damages } = summary;
  const lines = [
    ...damages.map((damage) => `${lineOf(damage)} (it was damaged before the backup was made)`),
    `${counted(files, 'file')}, ${bytesText(bytes)} of ${madeAt}, made by Nameglass ${madeBy}: ${data}`,
    ...(without.length > 0 ? [`not in this backup: ${without.join(', ')}`] : []),
    hasSecret
      ? `next: nameglass serve --data ${data}`
      : `the server secret is missing: put the secret.key of the original into ${data}, with mode 600, or set the setting secret; without it nothing starts. Then: nameglass serve --data ${data}`,
  ];
  for (const line of lines) print(escapeForTerminal(line));
}
