/**
 * A file of sorted labels, one per line. The last line describes the zone file it was made from, and proves that the file is
 * complete.
 */
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Damage } from '../../../store/damage.ts';
import { readLines } from '../../input/lines.ts';
import type { FileState } from '../../input/located-file.ts';
import type { SortedLabels } from './merge-sorted.ts';

export interface LabelList {
  readonly zone: string;
  readonly labels: number;
  readonly from: FileState;
  /** CRC-32 of all labels and of the members above; absent in lists of versions before 0.2. */
  readonly checksum?: number;
}

const lastLineMark = '#';
const lastLineBytesMax = 8192;

export async function* scanLabels(path: string): AsyncGenerator<readonly string[]> {
  for await (const { lines } of readLines(createReadStream(path)))
    yield lines.filter(
      (line) => line !== undefined && line !== '' && !line.startsWith(lastLineMark),
    ) as string[];
}

/** Returns the number of labels. */
export async function writeLabels(file: FileHandle, sorted: SortedLabels): Promise<number> {
  let labels = 0;
  for await (const batch of sorted) {
    await file.appendFile(`${batch.join('\n')}\n`);
    labels += batch.length;
  }
  return labels;
}

/** Undefined where the file does not exist or is incomplete. */
export async function findLabelList(path: string): Promise<LabelList | undefined> {
  const file = await open(path).catch(() => undefined);
  if (!file) return undefined;
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.min(size, lastLineBytesMax));
    await file.read(bytes, 0, bytes.length, size - bytes.length);
    const text = bytes.toString();
    const start = text.lastIndexOf(`\n${lastLineMark}`);
    return start < 0 || !text.endsWith('\n') ? undefined : (JSON.parse(text.slice(start + 2)) as LabelList);
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

/** Writes a list to a temporary path; `replaceFile` moves it into place. */
export async function writeLabelList(
  path: string,
  sorted: SortedLabels,
  { zone, from }: Pick<LabelList, 'zone' | 'from'>,
): Promise<number> {
  const file = await open(path, 'w');
  try {
    const sum = { crc: 0 };
    const labels = await writeLabels(file, summed(sorted, sum));
    const described = { zone, labels, from };
    const list: LabelList = { ...described, checksum: checksumOf(described, sum.crc) };
    await file.appendFile(`\n${lastLineMark}${JSON.stringify(list)}\n`);
    await file.sync();
    return labels;
  } finally {
    await file.close();
  }
}

/** Reads all of a list. Undefined where it is what was written, as far as that is known. */
export async function findListDamage(path: string): Promise<Damage | undefined> {
  const list = await findLabelList(path);
  if (!list) return { file: path, problem: 'its last line, which describes it, is not readable' };
  const sum = { crc: 0 };
  let labels = 0;
  for await (const batch of summed(scanLabels(path), sum)) labels += batch.length;
  if (labels !== list.labels) return { file: path, problem: `it has ${labels} of ${list.labels} names` };
  if (list.checksum === undefined || list.checksum === checksumOf(list, sum.crc)) return undefined;
  return { file: path, problem: 'it does not match its checksum' };
}

function checksumOf({ zone, labels, from }: Omit<LabelList, 'checksum'>, crcOfLabels: number): number {
  return crc32(JSON.stringify({ zone, labels, from }), crcOfLabels);
}

async function* summed(
  batches: AsyncIterable<readonly string[]>,
  sum: { crc: number },
): AsyncGenerator<readonly string[]> {
  for await (const batch of batches) {
    if (batch.length > 0) sum.crc = crc32(`${batch.join('\n')}\n`, sum.crc);
    yield batch;
  }
}

export async function replaceFile(from: string, to: string): Promise<void> {
  await rename(from, to);
  const directory = await open(dirname(to));
  await directory.sync().finally(() => directory.close());
}
