/** Copies files into a backup, one after the other, compares each with what is known of it, and writes its line in the manifest. */
import { fstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { BackupProgress } from '../../backup.ts';
import { type Damage, DamagedData } from '../../damage.ts';
import { readChecksum } from '../archive/checksum-file.ts';
import type { BackupSink } from './backup-sink.ts';
import type { FileDigest } from './file-digest.ts';
import type { OpenedFile } from './files-at-instant.ts';
import { checksumEnding, type ListedFile } from './listed-files.ts';
import { dataFolder, type ManifestWriter } from './manifest-lines.ts';
import { closeFile, openFile, readChunks } from './read-chunks.ts';

interface CopyNeeds {
  readonly data: string;
  readonly sink: BackupSink;
  readonly manifest: ManifestWriter;
  /** What is found damaged is added. */
  readonly damages: Damage[];
  readonly allBytes: number;
  readonly onProgress?: ((progress: BackupProgress) => void) | undefined;
}

export class CopiedFiles {
  readonly data: string;
  readonly sink: BackupSink;
  readonly #needs: CopyNeeds;
  #doneBytes = 0;

  constructor(needs: CopyNeeds) {
    this.data = needs.data;
    this.sink = needs.sink;
    this.#needs = needs;
  }

  report(file?: string): void {
    const { onProgress, allBytes } = this.#needs;
    onProgress?.({ file, doneBytes: this.#doneBytes, allBytes: Math.max(allBytes, this.#doneBytes) });
  }

  /** The copy of a database. */
  async addDraft(path: string, schema: number): Promise<void> {
    this.#record(path, await this.sink.addDraft(path), schema);
  }

  /** The file stays open. */
  async addOpened({ path, file, bytes, checksum }: OpenedFile): Promise<void> {
    await this.#copy(path, file, bytes, checksum);
  }

  async addListed({ path, bytes, checksum, sha256, subject }: ListedFile): Promise<void> {
    const file = await this.#open(path);
    if (file === undefined) {
      this.#damage(path, `${subject} is missing`);
      return;
    }
    try {
      const { size } = fstatSync(file);
      const { sha256: found } = await this.#copy(path, file, Math.min(bytes ?? size, size), checksum);
      if (sha256 !== undefined && found !== sha256) this.#damage(path, `${subject} does not match its hash`);
    } finally {
      await closeFile(file);
    }
  }

  /** One that is removed meanwhile is left out: it was too old to be kept. */
  async addArchive(path: string): Promise<void> {
    const files = [await this.#open(path), await this.#open(`${path}${checksumEnding}`)];
    const [archive, checksum] = files;
    try {
      if (archive === undefined || checksum === undefined) return;
      const { sha256 } = await this.#copy(path, archive, fstatSync(archive).size);
      await this.#copy(`${path}${checksumEnding}`, checksum, fstatSync(checksum).size);
      const expected = this.#readChecksum(checksum, `${path}${checksumEnding}`);
      if (expected !== undefined && expected !== sha256)
        this.#damage(path, 'an archive does not match its SHA-256');
    } finally {
      for (const file of files) if (file !== undefined) await closeFile(file);
    }
  }

  async addBytes(path: string, bytes: Buffer): Promise<void> {
    this.report(path);
    this.#record(path, await this.sink.addFile({ path, bytes: bytes.length, chunks: once(bytes) }));
  }

  async #copy(path: string, file: number, bytes: number, checksum?: number): Promise<FileDigest> {
    const name = join(dataFolder, path);
    this.report(name);
    const sum = { crc: 0 };
    const chunks = checksum === undefined ? readChunks(file, bytes) : summed(readChunks(file, bytes), sum);
    const digest = await this.sink.addFile({ path: name, bytes, chunks });
    if (checksum !== undefined && sum.crc !== checksum)
      this.#damage(path, 'it does not match the checksum that it was written with');
    this.#record(name, digest);
    return digest;
  }

  #record(path: string, digest: FileDigest, schema?: number): void {
    this.#doneBytes += digest.bytes;
    this.#needs.manifest.addFile({ path, ...digest, ...(schema === undefined ? {} : { schema }) });
  }

  async #open(path: string): Promise<number | undefined> {
    try {
      return await openFile(join(this.data, path), 'r');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  #readChecksum(file: number, path: string): string | undefined {
    try {
      return readChecksum(readFileSync(file, 'latin1'), join(this.data, path));
    } catch (error) {
      if (!(error instanceof DamagedData)) throw error;
      this.#damage(path, error.problem);
      return undefined;
    }
  }

  #damage(path: string, problem: string): void {
    this.#needs.damages.push({ file: join(this.data, path), problem });
  }
}

async function* summed(chunks: AsyncIterable<Buffer>, sum: { crc: number }): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    sum.crc = crc32(chunk, sum.crc);
    yield chunk;
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
