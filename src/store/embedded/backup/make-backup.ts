/**
 * Makes a backup of a data directory that is in use. Leases first, then the barrier, then the copies: databases, files that were opened at
 * the instant, files that the copied databases list, archives, and the manifest last. docs/decisions/0064 has the reasons.
 */
import { chmodSync, closeSync, existsSync, openSync, statSync, writeSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Problem } from '../../../model/problem.ts';
import type { BackupRequest, BackupSummary } from '../../backup.ts';
import type { Damage } from '../../damage.ts';
import { setJournal } from '../database.ts';
import { checkPages } from '../page-checksums/check-pages.ts';
import { namingErrors } from '../sqlite-errors.ts';
import { listDatabases } from '../verify/list-databases.ts';
import type { BackupSink } from './backup-sink.ts';
import { type Snapshot, snapshotAll } from './barrier.ts';
import { CopiedFiles } from './copied-files.ts';
import { DirectorySink } from './directory-sink.ts';
import { leaseFiles } from './file-leases.ts';
import { type FilesAtInstant, openFilesAtInstant } from './files-at-instant.ts';
import { rememberBackup } from './last-backup.ts';
import { listArchives, listImages, listSegments } from './listed-files.ts';
import { dataFolder, ManifestWriter, sealedSecretName } from './manifest-lines.ts';
import { assertRoom, measureData } from './room.ts';
import { schemaOf } from './schema.ts';
import { sealSecret } from './sealed-secret.ts';
import { TarSink } from './tar-sink.ts';

/** Pages that SQLite copies at once. */
const pagesAtOnce = 1000;

/** Leases of downloads end with their process; databases of images go with their files. */
const isCopied = (name: string, { without }: BackupRequest) =>
  name !== join('streams', 'leases.db') && !(name === 'images.db' && without.includes('images'));

export async function makeBackup(request: BackupRequest): Promise<BackupSummary> {
  const { data, to, clock } = request;
  if (!existsSync(join(data, 'accounts.db')))
    throw new Problem('not-found', `there is no data of Nameglass in ${data}; --data says where it is`);
  const allBytes = await measureData(request);
  if (typeof to === 'string') assertRoom(to, allBytes);
  const sink = typeof to === 'string' ? new DirectorySink(to) : new TarSink(to, data, clock.now());
  try {
    const summary = await fill(sink, request, allBytes);
    const { damages: _, ...last } = summary;
    rememberBackup(data, last);
    return summary;
  } finally {
    sink.discard();
  }
}

async function fill(sink: BackupSink, request: BackupRequest, allBytes: number): Promise<BackupSummary> {
  const { data, without, version, clock, secret } = request;
  const databases = listDatabases(data)
    .map(({ path }) => path)
    .filter((path) => isCopied(relative(data, path), request));
  const damages = await findDamages(databases);
  const manifestPath = join(sink.scratch, 'manifest');
  const manifestFile = openSync(manifestPath, 'wx', 0o600);
  const release = await leaseFiles(data);
  let opened: FilesAtInstant = { files: [], missing: [], journal: undefined };
  try {
    const atMs = clock.now();
    const snapshots = await snapshotAll(databases, (taken) => {
      opened = openFilesAtInstant(data, taken);
    });
    damages.push(...opened.missing);
    const manifest = new ManifestWriter((text) => void writeSync(manifestFile, text));
    manifest.begin({ version, instant: new Date(atMs).toISOString(), without });
    const files = new CopiedFiles({
      data,
      sink,
      manifest,
      damages,
      allBytes,
      onProgress: request.onProgress,
    });
    await copyDatabases(snapshots, files);
    for (const file of opened.files) await files.addOpened(file);
    await copyListed(files, request, sink);
    const { journal } = opened;
    if (journal) await files.addBytes(join(dataFolder, journal.path), journal.bytes);
    if (secret)
      await files.addBytes(sealedSecretName, Buffer.from(sealSecret(secret.text, secret.passphrase)));
    files.report();
    const { files: count, bytes } = manifest.end(damages);
    files.report();
    await sink.finish(manifestPath);
    files.report();
    return { atMs, files: count, bytes, location: sink.location, damages };
  } finally {
    closeSync(manifestFile);
    for (const { file } of opened.files) closeSync(file);
    await release();
  }
}

/** What is damaged is copied as it is, and named: a copy must not pass for what it was. */
async function findDamages(databases: readonly string[]): Promise<Damage[]> {
  const found: Damage[] = [];
  for (const path of databases) {
    const { damages } = await checkPages(path);
    found.push(...damages.map(({ file, offset, problem }) => ({ file, offset, problem })));
  }
  return found;
}

async function copyDatabases(snapshots: readonly Snapshot[], files: CopiedFiles): Promise<void> {
  try {
    for (const { path, reader } of snapshots) {
      const name = join(dataFolder, relative(files.data, path));
      const draft = files.sink.draftOf(name);
      files.report(name);
      const schema = namingErrors(path, () => schemaOf(reader));
      await reader.backup(draft, { progress: () => pagesAtOnce });
      // From here on its log need not be kept for us.
      reader.close();
      chmodSync(draft, 0o600);
      if (statSync(draft).size > 0) setJournal(draft, 'delete');
      await files.addDraft(name, schema);
      if (!listing.has(relative(files.data, path))) files.sink.releaseDraft(name);
    }
  } finally {
    for (const { reader } of snapshots) if (reader.open) reader.close();
  }
}

/** Databases whose copies list files. */
const listing = new Set([join('streams', 'streams.db'), 'images.db']);

async function copyListed(
  files: CopiedFiles,
  { data, without }: BackupRequest,
  sink: BackupSink,
): Promise<void> {
  const copyOf = (name: string) => sink.draftOf(join(dataFolder, name));
  const streams = copyOf(join('streams', 'streams.db'));
  if (existsSync(streams)) for (const file of listSegments(streams)) await files.addListed(file);
  const images = copyOf('images.db');
  if (existsSync(images)) for (const file of listImages(images)) await files.addListed(file);
  if (without.includes('archives')) return;
  for await (const path of listArchives(data)) await files.addArchive(path);
}
