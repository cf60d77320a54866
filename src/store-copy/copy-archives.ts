/** Copies archived files through their stores. One that is there already is not written again. */
import type { ArchiveFile } from '../store/archive-store.ts';
import type { ReaderSide } from './reader-side.ts';
import type { OnProgress, TargetSide } from './target-side.ts';

const filesPerPage = 500;

/** Returns how many there are. */
export async function copyArchives(
  source: ReaderSide,
  target: TargetSide,
  onProgress: OnProgress,
): Promise<number> {
  const { archives } = target.open();
  let files = 0;
  for await (const { name, bytes, modifiedMs } of listArchived(source)) {
    const opened = await source.archives.openFile(name);
    try {
      if (opened) await archives.addFile(name, opened.read(0, bytes), modifiedMs);
    } finally {
      await opened?.close();
    }
    files += 1;
    onProgress({ part: 'archives', done: files, unit: 'files' });
  }
  return files;
}

export async function* listArchived(side: ReaderSide): AsyncGenerator<ArchiveFile> {
  for (const archive of await side.listArchives()) {
    for (let skip = 0; ; skip += filesPerPage) {
      const files = await side.archives.listFiles({ archive, prefix: '', skip, limit: filesPerPage });
      yield* files;
      if (files.length < filesPerPage) break;
    }
  }
}
