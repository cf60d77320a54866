import { lstat, unlink } from 'node:fs/promises';
import { connect } from 'node:net';

/**
 * Removes the socket file of a killed process. A socket in use, or another kind of file, stays, and listening then fails with
 * EADDRINUSE.
 */
export async function removeStaleSocket(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSocket() && (await isUnused(path))) await unlink(path);
}

function isUnused(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(false);
    });
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
}
