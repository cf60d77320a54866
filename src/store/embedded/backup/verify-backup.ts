/** Reads a whole backup: every file against the manifest, then the structure of every database. */
import { join } from 'node:path';
import type { BackupCheck, BackupProgress } from '../../backup.ts';
import { type Damage, DamagedData } from '../../damage.ts';
import { verifyDatabases } from '../verify/verify-databases.ts';
import { dataFolder } from './manifest-lines.ts';
import { readDirectory } from './read-backup.ts';
import { digestChunks } from './write-file.ts';

export async function verifyBackup(
  directory: string,
  onProgress?: (progress: BackupProgress) => void,
): Promise<BackupCheck> {
  try {
    const { head, end, damages } = await readDirectory(directory, { onFile: digestChunks, onProgress });
    const recorded = end.damages.map((damage) => ({
      ...damage,
      problem: `${damage.problem} (it was damaged before the backup was made)`,
    }));
    const structure = damages.length > 0 ? [] : await structureDamages(directory);
    return {
      damages: [...damages, ...recorded, ...structure],
      files: end.files,
      bytes: end.bytes,
      madeAt: head.instant,
      madeBy: head.version,
    };
  } catch (error) {
    if (!(error instanceof DamagedData)) throw error;
    const { file, offset, problem } = error;
    return { damages: [{ file, offset, problem }], files: 0, bytes: 0, madeAt: undefined, madeBy: undefined };
  }
}

/** What is whole may still have been wrong when it was copied. */
async function structureDamages(directory: string): Promise<readonly Damage[]> {
  const { damages, unchecked } = await verifyDatabases(join(directory, dataFolder), { how: 'full' });
  return [...damages, ...unchecked.map((file) => ({ file, problem: 'it could not be checked' }))];
}
