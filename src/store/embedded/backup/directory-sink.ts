/** A backup in a directory: written under another name beside it, which it loses when the manifest is complete and durable. */
import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { BackupSink, SinkFile } from './backup-sink.ts';
import type { FileDigest } from './file-digest.ts';
import { manifestName } from './manifest-lines.ts';
import { closeFile, openFile, readChunks, syncDirectory, syncFile } from './read-chunks.ts';
import { assertEmpty, removeAbandoned, scratchName } from './scratch.ts';
import { digestChunks, writeFile } from './write-file.ts';

export class DirectorySink implements BackupSink {
  readonly location: string;
  readonly scratch: string;
  readonly #directories = new Set<string>();

  constructor(directory: string) {
    this.location = resolve(directory);
    const parent = dirname(this.location);
    assertEmpty(this.location);
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    const prefix = `${basename(this.location)}.partial`;
    removeAbandoned(parent, prefix);
    this.scratch = join(parent, scratchName(prefix));
    mkdirSync(this.scratch, { mode: 0o700 });
  }

  draftOf(path: string): string {
    const draft = join(this.scratch, path);
    this.#makeParent(draft);
    return draft;
  }

  async addDraft(path: string): Promise<FileDigest> {
    const draft = join(this.scratch, path);
    const { size } = statSync(draft);
    const file = await openFile(draft, 'r');
    try {
      await syncFile(file);
      return await digestChunks({ bytes: size, chunks: readChunks(file, size) });
    } finally {
      await closeFile(file);
    }
  }

  releaseDraft(): void {
    // It is the file of the backup.
  }

  addFile(file: SinkFile): Promise<FileDigest> {
    return writeFile(this.draftOf(file.path), file);
  }

  async finish(manifest: string): Promise<void> {
    const file = await openFile(manifest, 'r');
    await syncFile(file);
    await closeFile(file);
    renameSync(manifest, join(this.scratch, manifestName));
    for (const directory of [...this.#directories, this.scratch]) await syncDirectory(directory);
    renameSync(this.scratch, this.location);
    await syncDirectory(dirname(this.location));
  }

  discard(): void {
    rmSync(this.scratch, { recursive: true, force: true });
  }

  #makeParent(path: string): void {
    const parent = dirname(path);
    if (this.#directories.has(parent)) return;
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    for (let at = parent; at !== this.scratch; at = dirname(at)) this.#directories.add(at);
  }
}
