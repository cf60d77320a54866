/** The files of an archive as listed to clients: newest first, each with its checksum file. */
import { hash } from 'node:crypto';
import { basename } from 'node:path';
import type { ArchiveFile, ArchiveStore } from '../../store/archive-store.ts';

export const checksumSuffix = '.sha256';

export interface ListedFile {
  readonly name: string;
  readonly bytes: number;
  /** Including the quotes. */
  readonly etag: string;
  readonly modifiedMs: number;
}

export interface FilePage {
  readonly archive: string;
  /** A date or a prefix of one, optionally after the archive's name. */
  readonly prefix: string;
  /** Files per page, and the page number from 0. */
  readonly limit: number;
  readonly page: number;
}

export async function listFiles(
  { archive, prefix, limit, page }: FilePage,
  archives: Pick<ArchiveStore, 'listFiles'>,
): Promise<ListedFile[]> {
  const first = page * limit;
  const pairs = await archives.listFiles({
    archive,
    prefix: prefix.startsWith(`${archive}/`) ? prefix.slice(archive.length + 1) : prefix,
    skip: Math.floor(first / 2),
    limit: Math.ceil(limit / 2) + 1,
  });
  const files = pairs.flatMap((file) => [listedFile(file), listedChecksum(file)]);
  return files.slice(first % 2, (first % 2) + limit);
}

export function listedFile({ name, bytes, sha256, modifiedMs }: ArchiveFile): ListedFile {
  return { name, bytes, etag: etagOf(sha256), modifiedMs };
}

export function listedChecksum(file: ArchiveFile): ListedFile {
  const text = checksumText(file);
  return {
    name: file.name + checksumSuffix,
    bytes: text.length,
    etag: etagOf(hash('sha256', text)),
    modifiedMs: file.modifiedMs,
  };
}

/** In the format of `sha256sum -c`. */
export function checksumText({ name, sha256 }: ArchiveFile): string {
  return `${sha256}  ${basename(name)}\n`;
}

function etagOf(sha256: string): string {
  return `"${sha256.slice(0, 32)}"`;
}
