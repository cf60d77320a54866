/** The files of an archive as they are offered: each one with the text file of its checksum beside it, newest first. */
import { hash } from 'node:crypto';
import { basename } from 'node:path';
import type { ArchiveFile, ArchiveStore } from '../../store/archive-store.ts';

export const checksumSuffix = '.sha256';

export interface OfferedFile {
  readonly name: string;
  readonly bytes: number;
  /** With its quotes. */
  readonly etag: string;
  readonly modifiedMs: number;
}

export interface FilePage {
  readonly archive: string;
  /** A date or the beginning of one; the archive's name may stand before it. */
  readonly prefix: string;
  /** Files on a page, and which page, from 0. */
  readonly limit: number;
  readonly page: number;
}

export async function listFiles(
  { archive, prefix, limit, page }: FilePage,
  archives: Pick<ArchiveStore, 'listFiles'>,
): Promise<OfferedFile[]> {
  const first = page * limit;
  const pairs = await archives.listFiles({
    archive,
    prefix: prefix.startsWith(`${archive}/`) ? prefix.slice(archive.length + 1) : prefix,
    skip: Math.floor(first / 2),
    limit: Math.ceil(limit / 2) + 1,
  });
  const files = pairs.flatMap((file) => [offeredFile(file), offeredChecksum(file)]);
  return files.slice(first % 2, (first % 2) + limit);
}

export function offeredFile({ name, bytes, sha256, modifiedMs }: ArchiveFile): OfferedFile {
  return { name, bytes, etag: etagOf(sha256), modifiedMs };
}

export function offeredChecksum(file: ArchiveFile): OfferedFile {
  const text = checksumText(file);
  return {
    name: file.name + checksumSuffix,
    bytes: text.length,
    etag: etagOf(hash('sha256', text)),
    modifiedMs: file.modifiedMs,
  };
}

/** As `sha256sum -c` takes it. */
export function checksumText({ name, sha256 }: ArchiveFile): string {
  return `${sha256}  ${basename(name)}\n`;
}

function etagOf(sha256: string): string {
  return `"${sha256.slice(0, 32)}"`;
}
