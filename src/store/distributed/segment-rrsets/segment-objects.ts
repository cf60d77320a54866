/** Segments as objects: the tables of a segment, one after the other, in one object. */
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { DamagedData } from '../../damage.ts';
import {
  checksumOf,
  type SegmentSummary,
  type TableName,
  tableNames,
  tablePath,
} from '../../rrset/segment/segment-files.ts';
import type { CheckedObject, ObjectReader } from '../s3/object-reader.ts';
import type { Objects } from '../s3/open-objects.ts';
import type { StoredObject } from '../s3/stored-objects.ts';
import { rangeOf, type StoredSegment } from './segment-rows.ts';

export interface SegmentObject extends StoredObject {
  readonly tableBytes: readonly number[];
}

const folder = 'rrsets';
const chunkBytes = 1 << 20;

export async function uploadSegment(
  objects: Objects,
  directory: string,
  { name, hasTrigrams }: SegmentSummary,
): Promise<SegmentObject> {
  const tables = tableNames.filter((table) => table !== 'trigram' || hasTrigrams);
  const paths = tables.map((table) => tablePath(directory, name, table));
  const tableBytes: number[] = [];
  for (const path of paths) tableBytes.push((await stat(path)).size);
  return { ...(await objects.stored.upload(folder, contentsOf(paths))), tableBytes };
}

async function* contentsOf(paths: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const path of paths) yield* createReadStream(path, { highWaterMark: chunkBytes });
}

export interface Download {
  readonly reader: ObjectReader;
  readonly segment: StoredSegment;
  readonly table: TableName;
  readonly blockChecksums: Buffer;
  /** Where the file is complete under this path, it is what was written. */
  readonly path: string;
}

/** Fetches a table of a segment. Throws `DamagedData` where the object is not what was uploaded. */
export async function downloadTable({
  reader,
  segment,
  table,
  blockChecksums,
  path,
}: Download): Promise<void> {
  const object = { key: segment.object, bytes: segment.bytes, blockChecksums };
  const { from, to } = rangeOf(segment, table);
  const partial = `${path}.${process.pid}-${nextNumber()}.partial`;
  let checksum = 0;
  async function* checked(): AsyncGenerator<Uint8Array> {
    for await (const piece of reader.read(object, from, to)) {
      checksum = crc32(piece, checksum);
      yield piece;
    }
  }
  try {
    await pipeline(checked, createWriteStream(partial, { flags: 'wx', mode: 0o600 }));
    if (checksum !== checksumOf(segment, table)) throw mismatch(object, table);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

function mismatch({ key }: CheckedObject, table: TableName): DamagedData {
  return new DamagedData({
    file: key,
    problem: `its ${table} table does not match the checksum in the list`,
  });
}

let lastNumber = 0;

function nextNumber(): number {
  lastNumber += 1;
  return lastNumber;
}
