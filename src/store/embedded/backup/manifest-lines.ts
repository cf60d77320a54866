/**
 * `manifest.ndjson`, the last file of a backup: a line about the backup, one for each file in the order in which they were written, and a
 * last one with the SHA-256 of all lines before it. A manifest without its last line is none.
 */
import { createHash } from 'node:crypto';
import type { OptionalPart } from '../../backup.ts';
import { type Damage, DamagedData } from '../../damage.ts';
import type { FileDigest } from './file-digest.ts';

export const manifestName = 'manifest.ndjson';
export const sealedSecretName = 'secret.sealed';
/** The copy of the data directory. */
export const dataFolder = 'data';
const format = 1;

export interface ManifestHead {
  readonly format: number;
  readonly version: string;
  /** ISO 8601. */
  readonly instant: string;
  readonly without: readonly OptionalPart[];
}

export interface ManifestFile extends FileDigest {
  readonly path: string;
  /** The number of the last migration, for a database. */
  readonly schema?: number | undefined;
}

export interface ManifestEnd {
  readonly files: number;
  readonly bytes: number;
  readonly damages: readonly Damage[];
}

export class ManifestWriter {
  readonly #hash = createHash('sha256');
  readonly #write: (text: string) => void;
  #files = 0;
  #bytes = 0;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  begin(head: Omit<ManifestHead, 'format'>): void {
    this.#add({ nameglass: 'backup', format, ...head });
  }

  addFile(file: ManifestFile): void {
    this.#files += 1;
    this.#bytes += file.bytes;
    this.#add(file);
  }

  end(damages: readonly Damage[]): ManifestEnd {
    const end = { files: this.#files, bytes: this.#bytes, damages };
    this.#write(`${JSON.stringify({ ...end, sha256: this.#hash.copy().digest('hex') })}\n`);
    return end;
  }

  #add(value: object): void {
    const line = `${JSON.stringify(value)}\n`;
    this.#hash.update(line);
    this.#write(line);
  }
}

/** Reads lines of a manifest in order. Throws `DamagedData` for one that is not whole, or not ours. */
export class ManifestReader {
  readonly #path: string;
  readonly #hash = createHash('sha256');
  #line = 0;
  #files = 0;
  #end: ManifestEnd | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  readHead(line: string | undefined): ManifestHead {
    const head = this.#parse(line ?? '') as ManifestHead & { readonly nameglass?: unknown };
    if (head.nameglass !== 'backup') throw this.#damaged('this is no manifest of a backup');
    if (head.format !== format)
      throw this.#damaged(`it has format ${head.format}, of a newer Nameglass (${head.version})`);
    return head;
  }

  /** Undefined for the last line. */
  readFile(line: string): ManifestFile | undefined {
    if (this.#end) throw this.#damaged('there is something behind its end');
    const expected = this.#hash.copy().digest('hex');
    const value = this.#parse(line) as ManifestFile & ManifestEnd;
    if (value.path === undefined) {
      if (value.sha256 !== expected || value.files !== this.#files)
        throw this.#damaged('what is before this line is not what was written');
      this.#end = { files: value.files, bytes: value.bytes, damages: value.damages };
      return undefined;
    }
    if (!isSafePath(value.path)) throw this.#damaged('a path in it leads out of the backup');
    this.#files += 1;
    return value;
  }

  end(): ManifestEnd {
    if (!this.#end) throw this.#damaged('its end is missing: the backup was not finished, or was cut off');
    return this.#end;
  }

  #parse(line: string): unknown {
    this.#line += 1;
    this.#hash.update(`${line}\n`);
    try {
      const value: unknown = JSON.parse(line);
      if (typeof value === 'object' && value !== null) return value;
    } catch {
      // Reported below.
    }
    throw this.#damaged('it is not readable');
  }

  #damaged(problem: string): DamagedData {
    return new DamagedData({ file: this.#path, problem: `line ${this.#line}: ${problem}` });
  }
}

/** A file below `data/`, or the sealed secret: nothing that an archive of somebody else could overwrite. */
export function isSafePath(path: string): boolean {
  if (path === sealedSecretName) return true;
  const [folder, ...parts] = path.split('/');
  return (
    folder === dataFolder &&
    parts.length > 0 &&
    parts.every((part) => /^[^\p{Cc}\\]+$/u.test(part) && part !== '.' && part !== '..')
  );
}
