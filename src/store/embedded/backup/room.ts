/** How large a backup will be, about, and whether there is room for it. */
import { existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Problem } from '../../../model/problem.ts';
import type { BackupRequest } from '../../backup.ts';
import { measureStores } from '../measure-stores.ts';

const mebibyte = 1 << 20;

export async function measureData({ data, without }: BackupRequest): Promise<number> {
  const left: readonly string[] = ['health', 'known-lists', ...without];
  const sizes = await measureStores(data);
  return sizes.filter(({ name }) => !left.includes(name)).reduce((sum, { bytes }) => sum + bytes, 0);
}

export function assertRoom(directory: string, bytes: number): void {
  let at = resolve(directory);
  while (!existsSync(at)) at = dirname(at);
  const { bsize, bavail } = statfsSync(at);
  const [needed, free] = [bytes, bsize * bavail].map((value) =>
    Math.ceil(value / mebibyte).toLocaleString('en'),
  );
  if (bsize * bavail >= bytes) return;
  throw new Problem('storage-full', `${at} has ${free} MiB free, and about ${needed} MiB are needed`);
}
