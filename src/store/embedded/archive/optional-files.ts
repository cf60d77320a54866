/** Reads of files and directories that may be missing, for instance because another process has removed them. */
import { readdir, stat } from 'node:fs/promises';

export async function unlessMissing<Result>(read: Promise<Result>): Promise<Result | undefined> {
  try {
    return await read;
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
