/** Before there was a journal, lines of small appends that were not synced to their segment file were in a table. */
import type { StreamName } from '../../../stream-store.ts';
import type { Database } from '../../database.ts';
import type { FileOperations } from '../file-operations.ts';
import { segmentPath } from '../segment-files.ts';

interface Lines {
  readonly stream: StreamName;
  readonly minute: number;
  readonly position: number;
  readonly bytes: Uint8Array;
}

/** Within a transaction. */
export function settleOlderLines(root: string, database: Database, files: FileOperations): void {
  const rows = database.prepare('select stream, minute, position, bytes from unsynced').all() as Lines[];
  for (const { stream, minute, position, bytes } of rows) {
    const file = files.openExisting(segmentPath(root, stream, minute));
    if (file === undefined) continue;
    try {
      files.write(file, bytes, position);
      files.sync(file);
    } finally {
      files.close(file);
    }
  }
  if (rows.length === 0) return;
  database.exec('delete from unsynced; update segment set unsynced_bytes = 0 where unsynced_bytes > 0');
}
