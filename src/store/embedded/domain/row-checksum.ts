/** Checksums of values in a row: SQLite has none of its own, and would give out a flipped bit as it is. */
import { crc32 } from 'node:zlib';
import { DamagedData } from '../../damage.ts';

/** `id` is that of the row, so that a value cannot be taken for that of another row. */
export function rowChecksum(id: number, value: string | Uint8Array): number {
  return crc32(value, id);
}

/** Throws `DamagedData` unless the value has this checksum, or none: an earlier version wrote it then. */
export function assertRowChecksum(
  database: string,
  row: { readonly id: number; readonly value: string | Uint8Array; readonly checksum: number | null },
  what: string,
): void {
  if (row.checksum === null || rowChecksum(row.id, row.value) === row.checksum) return;
  throw new DamagedData({ file: database, problem: `${what} does not match its checksum` });
}
