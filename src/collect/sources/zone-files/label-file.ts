/**
 * A file of sorted labels, one per line. The last line describes the zone file it was made from, and proves that the file is
 * complete.
 */
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readLines } from '../../input/lines.ts';
import type { FileState } from '../../input/located-file.ts';
import type { SortedLabels } from './merge-sorted.ts';

export interface LabelList {
  readonly zone: string;
  readonly labels: number;
  readonly from: FileState;
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
  { zone, from }: Omit<LabelList, 'labels'>,
): Promise<number> {
  const file = await open(path, 'w');
  try {
    const labels = await writeLabels(file, sorted);
    const list: LabelList = { zone, labels, from };
    await file.appendFile(`\n${lastLineMark}${JSON.stringify(list)}\n`);
    await file.sync();
    return labels;
  } finally {
    await file.close();
  }
}

export async function replaceFile(from: string, to: string): Promise<void> {
  await rename(from, to);
  const directory = await open(dirname(to));
  await directory.sync().finally(() => directory.close());
}
