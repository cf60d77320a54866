/**
 * Makes a data directory from a backup. Everything is written elsewhere and compared with the manifest; it gets its name only when all of
 * it is right, and is removed otherwise.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Problem } from '../../../model/problem.ts';
import type { RestoreRequest, RestoreSummary } from '../../backup.ts';
import type { Damage } from '../../damage.ts';
import { openForChecksums, setJournal } from '../database.ts';
import { settleChecksums } from '../page-checksums/settle-checksums.ts';
import type { SinkFile } from './backup-sink.ts';
import { dataFolder, type ManifestFile, sealedSecretName } from './manifest-lines.ts';
import { type ReadResult, readDirectory, readStream } from './read-backup.ts';
import { syncDirectory } from './read-chunks.ts';
import { knownMigrations } from './schema.ts';
import { assertEmpty, removeAbandoned, scratchName } from './scratch.ts';
import { openSecret } from './sealed-secret.ts';
import { rememberMoved, removeMoved, scratchOfRestore } from './unfinished-restore.ts';
import { writeFile } from './write-file.ts';

const damagesShown = 3;

export async function restoreBackup(request: RestoreRequest): Promise<RestoreSummary> {
  const data = resolve(request.data);
  const { parent, prefix } = scratchOfRestore(data);
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  if (parent === data) removeMoved(data);
  removeAbandoned(parent, prefix);
  assertEmpty(data);
  const scratch = join(parent, scratchName(prefix));
  mkdirSync(join(scratch, dataFolder), { recursive: true, mode: 0o700 });
  try {
    const result = await copyFiles(request, scratch);
    refuseDamaged(result.damages);
    refuseNewer(result);
    for (const { path } of result.databases) settle(join(scratch, path));
    const hasSecret = placeSecret(request, scratch);
    await moveTo(scratch, data);
    const { head, end } = result;
    const { instant: madeAt, version: madeBy, without } = head;
    return { files: end.files, bytes: end.bytes, madeAt, madeBy, without, hasSecret, damages: end.damages };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function copyFiles({ from, onProgress }: RestoreRequest, scratch: string): Promise<ReadResult> {
  const onFile = (file: SinkFile) => {
    const to = join(scratch, file.path);
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    return writeFile(to, file);
  };
  return typeof from === 'string'
    ? readDirectory(from, { onFile, onProgress })
    : readStream(from, scratch, { onFile, onProgress });
}

function refuseDamaged(damages: readonly Damage[]): void {
  if (damages.length === 0) return;
  const shown = damages.slice(0, damagesShown).map(({ file, offset, problem }) => {
    return `${file}${offset === undefined ? '' : ` at byte ${offset}`}: ${problem}`;
  });
  const more = damages.length > damagesShown ? `; and ${damages.length - damagesShown} more` : '';
  throw new Problem(
    'unavailable',
    `the backup is damaged, and nothing was restored: ${shown.join('; ')}${more}`,
  );
}

function refuseNewer({ head, databases }: ReadResult): void {
  const isNewer = ({ path, schema = 0 }: ManifestFile) => schema > knownMigrations(path).length;
  const newer = databases.find(isNewer);
  if (!newer) return;
  const message = `${newer.path} has a newer schema than this version knows; restore with Nameglass ${head.version} or later`;
  throw new Problem('unavailable', message);
}

/** The copy is what was backed up, byte by byte: its pages get their checksums now, however large it is. */
function settle(path: string): void {
  if (statSync(path).size === 0) return;
  setJournal(path, 'wal');
  refuseDamaged(settleChecksums(path, { open: openForChecksums, check: 'quick_check' }));
}

/** Whether there is one now. */
function placeSecret({ secret, passphrase }: RestoreRequest, scratch: string): boolean {
  const sealed = join(scratch, sealedSecretName);
  if (passphrase !== undefined && !existsSync(sealed))
    throw new Problem('not-found', 'there is no sealed secret in this backup; leave the passphrase out');
  const text =
    secret ?? (passphrase === undefined ? undefined : openSecret(readFileSync(sealed, 'utf8'), passphrase));
  if (text === undefined) return false;
  writeFileSync(join(scratch, dataFolder, 'secret.key'), `${text.trim()}\n`, { mode: 0o600, flush: true });
  return true;
}

async function moveTo(scratch: string, data: string): Promise<void> {
  const from = join(scratch, dataFolder);
  await syncTree(from);
  if (dirname(scratch) === data) {
    // Without the last one no command takes the directory for data.
    const names = [...readdirSync(from).filter((name) => name !== 'accounts.db'), 'accounts.db'];
    rememberMoved(scratch, names);
    for (const name of names) renameSync(join(from, name), join(data, name));
    await syncDirectory(data);
  } else renameSync(from, data);
  await syncDirectory(dirname(data));
}

async function syncTree(directory: string): Promise<void> {
  for (const entry of readdirSync(directory, { withFileTypes: true }))
    if (entry.isDirectory()) await syncTree(join(directory, entry.name));
  await syncDirectory(directory);
}
