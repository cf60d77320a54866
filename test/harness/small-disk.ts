/** A small file system of its own, for tests that fill it. */
import { spawnSync } from 'node:child_process';
import type { TestContext } from 'node:test';
import { temporaryDirectory } from './temporary-directory.ts';

/** Its directory; undefined, and the test is skipped, where none may be mounted. On CI the test fails instead. */
export function smallDisk(t: TestContext, mebibytes: number): string | undefined {
  const mounted: string[] = [];
  // Before the directory is removed, which is what `temporaryDirectory` adds.
  t.after(() => void (mounted.length > 0 && spawnSync('umount', ['-l', ...mounted])));
  const directory = temporaryDirectory(t);
  const options = ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', directory];
  const { status, stderr } = spawnSync('mount', options, { encoding: 'utf8' });
  if (status === 0) {
    mounted.push(directory);
    return directory;
  }
  const reason = `no file system can be mounted here: ${stderr?.trim() || 'there is no mount command'}`;
  if (process.env['CI']) throw new Error(reason);
  t.skip(reason);
  return undefined;
}
