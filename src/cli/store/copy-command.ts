/** `nameglass store copy`: everything from a data directory to distributed stores, or back. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { escapeForTerminal } from '../../model/escape-for-terminal.ts';
import { fieldProblem, Problem } from '../../model/problem.ts';
import type {
  CopyProgress,
  CopyRequest,
  CopySummary,
  CopyVerification,
} from '../../store/copy/store-copier.ts';
import { bytesText } from '../backup/bytes-text.ts';
import { becomeDataOwner } from '../data-owner.ts';
import type { CliNeeds } from '../needs.ts';
import { counted, print, printJson } from '../output.ts';
import { type ProgressLine, progressLine } from '../progress-line.ts';
import { listRunning } from '../running/running-process.ts';
import { type SettingsOptions, startConfigOf, withSettings } from '../settings-options.ts';

interface CopyOptions extends SettingsOptions {
  readonly from: string;
  readonly to: string;
  readonly verify?: boolean;
  readonly json?: boolean;
}

const embeddedPrefix = 'embedded:';
const distributedSide = 'distributed';

export function addCopy(store: Command, needs: CliNeeds): void {
  withSettings(
    store
      .command('copy')
      .description(
        'copy everything from a data directory to distributed stores, or back, while no server runs',
      ),
  )
    .requiredOption('--from <stores>', 'embedded:DIR or distributed, which the settings describe')
    .requiredOption(
      '--to <stores>',
      'the other of both; it must be empty, or have a copy that was interrupted',
    )
    .option('--verify', 'compare both sides afterwards; of a copy that is complete, compare them only')
    .option('--json', 'print JSON')
    .action((options: CopyOptions) => copy(options, needs));
}

async function copy(options: CopyOptions, needs: CliNeeds): Promise<void> {
  const { settings } = startConfigOf(options, needs);
  const sides = sidesOf(options);
  if (settings.store.kind !== 'distributed')
    throw fieldProblem(
      'invalid-parameters',
      'store.kind',
      'must be distributed: name the file with the settings of the distributed stores with --config',
    );
  becomeDataOwner(sides.directory);
  refuseRunning(sides.directory);
  const copier = await needs.loadStoreCopier();
  const progress = progressLine();
  const request = { ...sides, settings, onProgress: progressWriter(progress) };
  try {
    const isVerifiedOnly = options.verify === true && (await copier.isCopied(request));
    const copied = isVerifiedOnly ? undefined : await copier.copy(request);
    const verified = options.verify ? await copier.verify(request) : undefined;
    progress.clear();
    if (options.json) printJson({ ...(copied ? { copied } : {}), ...(verified ? { verified } : {}) });
    else describe(sides, copied, verified);
    if (verified && verified.differences.length > 0) process.exitCode = 1;
  } finally {
    progress.clear();
  }
}

function sidesOf({ from, to }: CopyOptions): Pick<CopyRequest, 'directory' | 'direction'> {
  const [fromDirectory, toDirectory] = [directoryOf(from, '--from'), directoryOf(to, '--to')];
  if (fromDirectory !== undefined && toDirectory === undefined)
    return { directory: fromDirectory, direction: 'to-distributed' };
  if (fromDirectory === undefined && toDirectory !== undefined)
    return { directory: toDirectory, direction: 'to-embedded' };
  const advice = 'one of --from and --to must be embedded:DIR, and the other distributed';
  throw fieldProblem(
    'invalid-parameters',
    '--to',
    fromDirectory === undefined ? advice : `${advice}; a data directory is copied with nameglass backup`,
  );
}

/** Undefined for distributed stores. */
function directoryOf(text: string, option: string): string | undefined {
  if (text === distributedSide) return undefined;
  const directory = text.startsWith(embeddedPrefix) ? text.slice(embeddedPrefix.length) : '';
  if (directory !== '') return resolve(directory);
  throw fieldProblem('invalid-parameters', option, `must be embedded:DIR or distributed, not ${text}`);
}

function refuseRunning(directory: string): void {
  const [running] = listRunning(directory);
  if (running)
    throw new Problem(
      'unavailable',
      `a server runs on ${directory} (process ${running.pid}, ${running.url}): stop it, then repeat the command`,
    );
}

/** What is copied, how much of it, and how fast. */
function progressWriter(line: ProgressLine): (progress: CopyProgress) => void {
  let [part, beganMs] = ['', 0];
  return (progress) => {
    const nowMs = performance.now();
    if (progress.part !== part) [part, beganMs] = [progress.part, nowMs];
    const seconds = Math.max(1, (nowMs - beganMs) / 1000);
    line.show(
      `${escapeForTerminal(part)}  ${amountText(progress.done, progress.unit)}, ${amountText(Math.round(progress.done / seconds), progress.unit)}/s`,
    );
  };
}

function amountText(amount: number, unit: CopyProgress['unit']): string {
  return unit === 'bytes' ? bytesText(amount) : `${amount.toLocaleString('en')} ${unit}`;
}

function describe(
  { directory, direction }: Pick<CopyRequest, 'directory' | 'direction'>,
  copied: CopySummary | undefined,
  verified: CopyVerification | undefined,
): void {
  if (copied) {
    const { tables, rows, streamBytes, archives, images, records } = copied;
    print(
      `${counted(rows, 'row')} of ${counted(tables, 'table')}, ${bytesText(streamBytes)} of streams, ${counted(archives, 'archived file')}, ${counted(images, 'image')} copied; ${counted(records, 'record')} indexed`,
    );
  }
  for (const difference of verified?.differences ?? []) print(escapeForTerminal(difference));
  if (verified)
    print(
      verified.differences.length === 0
        ? `both sides are the same: ${counted(verified.compared.length, 'part')} compared`
        : `${counted(verified.differences.length, 'difference')} in ${counted(verified.compared.length, 'part')}`,
    );
  if (copied)
    print(
      direction === 'to-distributed'
        ? `passive DNS is not copied: it stays in ${directory}, which the node of passive DNS uses as its data directory`
        : `passive DNS is not copied: move the directory rrsets of the node of passive DNS into ${directory} before the first start`,
    );
}
