/** `nameglass backup`: a copy of everything in the data directory, while the server runs. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { giveWay } from '../../concurrency/give-way.ts';
import { escapeForTerminal } from '../../model/escape-for-terminal.ts';
import { fieldProblem, Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import {
  type BackupProgress,
  type BackupSummary,
  type OptionalPart,
  optionalParts,
} from '../../store/backup.ts';
import { becomeDataOwner } from '../data-owner.ts';
import type { CliNeeds } from '../needs.ts';
import { counted, printJson } from '../output.ts';
import { progressLine } from '../progress-line.ts';
import { configOf, type SettingsOptions, withSettings } from '../settings-options.ts';
import { lineOf } from '../verify/verify-data.ts';
import { bytesText } from './bytes-text.ts';
import { readPassphrase } from './passphrase.ts';

interface BackupOptions extends SettingsOptions {
  readonly without?: string;
  readonly secretTo?: string;
  readonly passphraseFile?: string;
  readonly json?: boolean;
}

/** A server beside it comes first. */
const niceness = 10;

export function addBackup(program: Command, needs: CliNeeds): void {
  withSettings(
    program.command('backup').argument('<to>', 'a new directory, or - for a tar archive on standard output'),
  )
    .option('--without <parts>', 'leave out: images, archives, or both with a comma')
    .option('--secret-to <file>', 'write the server secret to a file apart')
    .option(
      '--passphrase-file <file>',
      'seal the server secret into the backup with the passphrase in this file',
    )
    .option('--json', 'print JSON')
    .action((to: string, options: BackupOptions) => backUp(to, options, needs));
}

async function backUp(to: string, options: BackupOptions, needs: CliNeeds): Promise<void> {
  const { settings } = configOf(options, needs);
  const without = partsOf(options.without);
  const passphrase =
    options.passphraseFile === undefined ? undefined : readPassphrase(options.passphraseFile);
  const secret = passphrase === undefined ? undefined : { text: readSecret(settings), passphrase };
  if (to === '-') prepareOutput();
  if (options.secretTo !== undefined) writeSecret(options.secretTo, readSecret(settings));
  becomeDataOwner(settings.data);
  giveWay(niceness);
  const progress = progressLine();
  const summary = await (await needs.loadBackups())
    .make({
      data: settings.data,
      to: to === '-' ? process.stdout : to,
      without,
      ...(secret ? { secret } : {}),
      version: needs.version,
      clock: needs.clock,
      onProgress: (state) => progress.show(progressText(state)),
    })
    .finally(() => progress.clear());
  report(summary, options, settings);
}

function partsOf(text = ''): readonly OptionalPart[] {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  const wrong = parts.find((part) => !(optionalParts as readonly string[]).includes(part));
  if (wrong !== undefined)
    throw fieldProblem(
      'invalid-parameters',
      '--without',
      `${wrong} is not one of ${optionalParts.join(', ')}`,
    );
  return optionalParts.filter((part) => parts.includes(part));
}

/** A pipe that ends early is a failure here, and not for other commands: the write that fails reports it. */
function prepareOutput(): void {
  if (process.stdout.isTTY)
    throw fieldProblem(
      'invalid-parameters',
      'to',
      'an archive is not for a terminal; write it to a file with > FILE',
    );
  process.stdout.removeAllListeners('error').on('error', () => undefined);
}

function readSecret({ data, secret }: Settings): string {
  if (secret) return secret;
  const path = join(data, 'secret.key');
  if (existsSync(path)) return readFileSync(path, 'utf8').trim();
  throw new Problem('not-found', `there is no secret: ${path} is missing, and the setting secret is empty`);
}

/** Never over another one: it may be the only copy. */
function writeSecret(path: string, secret: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8').trim() === secret) return;
  writeFileSync(path, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true });
}

export function progressText({ file, doneBytes, allBytes }: BackupProgress): string {
  const all = allBytes > 0 ? ` of about ${bytesText(allBytes)}` : '';
  return `${bytesText(doneBytes)}${all}  ${escapeForTerminal(file ?? '')}`;
}

/** On standard error: standard output may be the archive. */
function report(summary: BackupSummary, options: BackupOptions, settings: Settings): void {
  const { damages, files, bytes, location } = summary;
  const say = (text: string) => process.stderr.write(`${escapeForTerminal(text)}\n`);
  for (const damage of damages) say(`${lineOf(damage)}; it was copied as it is`);
  const isApart = options.secretTo !== undefined || options.passphraseFile !== undefined;
  if (options.json && location !== 'standard output') printJson({ ...summary, secret: isApart });
  else say(`${counted(files, 'file')}, ${bytesText(bytes)}: ${location}`);
  if (!isApart)
    say(
      `the server secret is not in it: keep a copy of ${settings.secret ? 'the setting secret' : join(settings.data, 'secret.key')} apart (--secret-to FILE, or --passphrase-file FILE seals it into the backup)`,
    );
  if (damages.length > 0) process.exitCode = 1;
}
