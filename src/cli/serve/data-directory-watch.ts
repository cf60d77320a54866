/**
 * Ends a server whose data directory was removed, moved or hidden by a mount while it runs. Databases that are open would still take writes, into
 * files that nobody finds again, so nothing more may be acknowledged. PostgreSQL checks its lock file for the same reason.
 */
import { type Stats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { secondMs } from '../../model/durations.ts';

const checkMs = secondMs;

export interface WatchedServer {
  /** Whether what it wrote into the directory at its start is found there: some file systems number directories anew. */
  readonly isThere: () => boolean;
  readonly kill: () => void;
}

/** Until the process ends. Any other failure, such as a network that does not answer, is none of its business. */
export function endWhenDataIsGone(directory: string, { isThere, kill }: WatchedServer): void {
  const opened = statSync(directory);
  void untilGone(directory, opened, isThere).then(() => {
    kill();
    process.stderr.write(
      `nameglass: the data directory ${directory} was removed or replaced while the server ran, so nothing more can be stored; put it back, then start again\n`,
    );
    process.exit(1);
  });
}

async function untilGone(
  directory: string,
  opened: Pick<Stats, 'dev' | 'ino'>,
  isThere: () => boolean,
): Promise<void> {
  for (;;) {
    await pause(checkMs, undefined, { ref: false });
    const found = await stat(directory).catch(({ code }: NodeJS.ErrnoException) =>
      code === 'ENOENT' || code === 'ENOTDIR' ? undefined : opened,
    );
    const isSame = found?.ino === opened.ino && found.dev === opened.dev;
    if (!isSame && !isThere()) return;
  }
}
