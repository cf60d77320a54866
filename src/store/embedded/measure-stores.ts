/** How much of the disk each store occupies: a database with its log and checksums, or a directory of files. */
import { opendir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoreSize } from '../health-store.ts';

/** Enough for all but archives of millions of pictures, and read within seconds. */
const filesMax = 50_000;

export async function measureStores(data: string): Promise<readonly StoreSize[]> {
  const entries = await readdir(data, { withFileTypes: true }).catch(() => []);
  const sizes = new Map<string, StoreSize>();
  for (const entry of entries) {
    const path = join(data, entry.name);
    const name = entry.name.replace(/\.db(?:-.*)?$/, '');
    const { bytes, isPartial } = entry.isDirectory()
      ? await measureDirectory(path)
      : { bytes: await bytesOf(path), isPartial: false };
    const before = sizes.get(name);
    sizes.set(name, {
      name,
      bytes: (before?.bytes ?? 0) + bytes,
      isPartial: isPartial || before?.isPartial === true,
    });
  }
  return [...sizes.values()].sort((one, other) => other.bytes - one.bytes);
}

async function measureDirectory(path: string): Promise<{ bytes: number; isPartial: boolean }> {
  let bytes = 0;
  let files = 0;
  try {
    for await (const entry of await opendir(path, { recursive: true })) {
      if (!entry.isFile()) continue;
      files += 1;
      if (files > filesMax) return { bytes, isPartial: true };
      bytes += await bytesOf(join(entry.parentPath, entry.name));
    }
  } catch {
    // Removed meanwhile.
  }
  return { bytes, isPartial: false };
}

const bytesOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0;
