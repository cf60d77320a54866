/**
 * A file of sorted labels, one on each line. The last line tells what the list was made from, and proves that it is whole: a list without
 * it does not exist.
 */
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readLines } from '../../rrset-formats/lines.ts';
import type { FileState } from '../located-file.ts';
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

/** Gives how many there were. */
export async function writeLabels(file: FileHandle, sorted: SortedLabels): Promise<number> {
  let labels = 0;
  for await (const batch of sorted) {
    await file.appendFile(`${batch.join('\n')}\n`);
    labels += batch.length;
  }
  return labels;
}

/** The list at a path, or undefined where there is none, or none that is whole. */
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

/** Writes a list beside its place, where `takePlace` puts it. */
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

export async function takePlace(path: string, place: string): Promise<void> {
  await rename(path, place);
  const directory = await open(dirname(place));
  await directory.sync().finally(() => directory.close());
}
