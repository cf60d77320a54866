/** `nameglass verify backup`: reads a whole backup. */
import { escapeForTerminal } from '../../model/escape-for-terminal.ts';
import { progressText } from '../backup/backup-command.ts';
import { bytesText } from '../backup/bytes-text.ts';
import type { CliNeeds } from '../needs.ts';
import { counted, print, printJson } from '../output.ts';
import { progressLine } from '../progress-line.ts';
import { lineOf } from './verify-data.ts';

/** Exit code 1 if anything is not what was written. */
export async function verifyBackup(
  directory: string,
  { json }: { readonly json?: boolean },
  needs: CliNeeds,
): Promise<void> {
  const progress = progressLine();
  const backups = await needs.loadBackups();
  const check = await backups
    .verify(directory, (state) => progress.show(progressText(state)))
    .finally(() => progress.clear());
  const { damages, files, bytes, madeAt, madeBy } = check;
  if (json) printJson(check);
  else {
    for (const damage of damages) print(escapeForTerminal(lineOf(damage)));
    const verdict = damages.length === 0 ? 'intact' : counted(damages.length, 'damage');
    const made =
      madeAt === undefined
        ? ''
        : ` (${counted(files, 'file')}, ${bytesText(bytes)} of ${madeAt}, Nameglass ${madeBy})`;
    print(escapeForTerminal(`backup: ${verdict}${made}`));
  }
  if (damages.length > 0) process.exitCode = 1;
}
