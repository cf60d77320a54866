import { lstat, unlink } from 'node:fs/promises';
import { connect } from 'node:net';

/**
 * Removes the socket file that a killed process left behind. Anything else stays, and whoever then wants to listen there
 * is told that the address is in use.
 */
export async function removeStaleSocket(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSocket() && (await isDeserted(path))) await unlink(path);
}

function isDeserted(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(false);
    });
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
}
