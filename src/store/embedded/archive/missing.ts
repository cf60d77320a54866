/** Questions to the disk whose answer may be that there is no such file or directory, because another process was faster. */
import { readdir, stat } from 'node:fs/promises';

export async function unlessMissing<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

export async function findSize(path: string): Promise<{ bytes: number; modifiedMs: number } | undefined> {
  const stats = await unlessMissing(stat(path));
  return stats && { bytes: stats.size, modifiedMs: Math.floor(stats.mtimeMs) };
}

export async function listNames(path: string): Promise<string[]> {
  return (await unlessMissing(readdir(path))) ?? [];
}
