/** Keeps retention from removing files that a backup is going to copy. A killed process loses its leases. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { imageFiles, RangeLeases } from '../stream/range-leases.ts';

/** Segments and images that are listed after this resolves stay until the returned function is called. */
export async function leaseFiles(data: string): Promise<() => Promise<void>> {
  const root = join(data, 'streams');
  if (!existsSync(root)) mkdirSync(root, { mode: 0o700 });
  const leases = new RangeLeases(root);
  const streams = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const held: number[] = [];
  for (const name of [...streams, imageFiles]) held.push(await leases.acquire(name, 0));
  return async () => {
    for (const lease of held) await leases.release(lease);
    leases.close();
  };
}
