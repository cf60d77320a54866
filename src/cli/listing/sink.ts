/** Where output goes: standard output, or a file that exists when it is complete. */

import { once } from 'node:events';
import { createWriteStream, renameSync, rmSync, statSync } from 'node:fs';
import { finished } from 'node:stream/promises';

const interrupted = 130;

export interface Sink {
  /** Resolves when more may be written. */
  write(text: string | Uint8Array): Promise<void>;
  end(): Promise<void>;
}

/** Without a path, or with `-`: standard output. */
export async function openSink(path: string | undefined): Promise<Sink> {
  if (path === undefined || path === '-') {
    return { write: (text) => writeTo(process.stdout, text), end: async () => undefined };
  }
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
  const written = isFile ? `${path}.part` : path;
  const stream = createWriteStream(written);
  await once(stream, 'open');
  const remove = () => rmSync(written, { force: true });
  if (isFile) {
    process.once('exit', remove);
    // A signal that nobody handles would end the process without that.
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      if (process.listenerCount(signal) === 0) process.once(signal, () => process.exit(interrupted));
  }
  return {
    write: (text) => writeTo(stream, text),
    end: async () => {
      stream.end();
      await finished(stream);
      if (!isFile) return;
      process.off('exit', remove);
      renameSync(written, path);
    },
  };
}

async function writeTo(stream: NodeJS.WritableStream, text: string | Uint8Array): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain');
}
