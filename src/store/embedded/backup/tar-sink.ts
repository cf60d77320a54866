/** A backup as a tar archive on a stream. Databases are copied into the data directory first: a header comes before its file. */
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { Problem } from '../../../model/problem.ts';
import type { BackupSink, SinkFile } from './backup-sink.ts';
import { type FileDigest, FileDigester } from './file-digest.ts';
import { manifestName } from './manifest-lines.ts';
import { closeFile, openFile, readChunks } from './read-chunks.ts';
import { removeAbandoned, scratchName } from './scratch.ts';
import { paddingOf, tarEnd, tarHeaders } from './tar-format.ts';

/** A directory of this name in a data directory belongs to a backup in progress. */
export const scratchPrefix = 'backup-scratch';

export class TarSink implements BackupSink {
  readonly location = 'standard output';
  readonly scratch: string;
  readonly #output: Writable;
  readonly #seconds: number;

  constructor(output: Writable, data: string, nowMs: number) {
    this.#output = output;
    this.#seconds = Math.floor(nowMs / 1000);
    removeAbandoned(data, scratchPrefix);
    this.scratch = join(data, scratchName(scratchPrefix));
    mkdirSync(this.scratch, { mode: 0o700 });
  }

  draftOf(path: string): string {
    // Not with the ending of a database: a check of the data directory would find it.
    const draft = join(this.scratch, `${path}.copy`);
    mkdirSync(dirname(draft), { recursive: true, mode: 0o700 });
    return draft;
  }

  addDraft(path: string): Promise<FileDigest> {
    return this.#addStored(path, this.draftOf(path));
  }

  releaseDraft(path: string): void {
    rmSync(this.draftOf(path), { force: true });
  }

  async addFile({ path, bytes, chunks }: SinkFile): Promise<FileDigest> {
    await this.#write(tarHeaders({ path, bytes }, this.#seconds));
    const digester = new FileDigester(bytes);
    for await (const chunk of chunks) {
      digester.update(chunk);
      // The stream may keep it for longer than we do.
      await this.#write(Buffer.from(chunk));
    }
    const digest = digester.finish();
    if (digest.bytes !== bytes) throw new Error(`${path} became shorter while it was copied`);
    await this.#write(Buffer.alloc(paddingOf(bytes)));
    return digest;
  }

  async finish(manifest: string): Promise<void> {
    await this.#addStored(manifestName, manifest);
    await this.#write(tarEnd);
  }

  discard(): void {
    rmSync(this.scratch, { recursive: true, force: true });
  }

  async #addStored(path: string, stored: string): Promise<FileDigest> {
    const file = await openFile(stored, 'r');
    try {
      const bytes = statSync(stored).size;
      return await this.addFile({ path, bytes, chunks: readChunks(file, bytes) });
    } finally {
      await closeFile(file);
    }
  }

  #write(bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#output.write(bytes, (error) => (error ? reject(writeProblem(error)) : resolve()));
    });
  }
}

function writeProblem(cause: Error): Problem {
  return new Problem('unavailable', `the archive could not be written: ${cause.message}`, { cause });
}
