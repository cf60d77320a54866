/** Writes a new private file from chunks, makes it durable, and says what is in it. */
import { constants } from 'node:fs';
import type { SinkFile } from './backup-sink.ts';
import { type FileDigest, FileDigester } from './file-digest.ts';
import { closeFile, openFile, syncFile, writeTo } from './read-chunks.ts';

const newFile = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY;

export async function writeFile(
  to: string,
  { bytes, chunks }: Pick<SinkFile, 'bytes' | 'chunks'>,
): Promise<FileDigest> {
  const file = await openFile(to, newFile, 0o600);
  const digester = new FileDigester(bytes);
  try {
    for await (const chunk of chunks) {
      digester.update(chunk);
      for (let at = 0; at < chunk.length; )
        at += (await writeTo(file, chunk, at, chunk.length - at)).bytesWritten;
    }
    await syncFile(file);
    return digester.finish();
  } finally {
    await closeFile(file);
  }
}

export async function digestChunks({
  bytes,
  chunks,
}: Pick<SinkFile, 'bytes' | 'chunks'>): Promise<FileDigest> {
  const digester = new FileDigester(bytes);
  for await (const chunk of chunks) digester.update(chunk);
  return digester.finish();
}
