/** `nameglass verify databases --accept`: after another program has changed a database on purpose, or when there is no backup. */
import { escapeForTerminal } from '../../model/escape-for-terminal.ts';
import type { CliNeeds } from '../needs.ts';
import { print, printJson } from '../output.ts';
import { configOf } from '../settings-options.ts';
import { lineOf, type VerifyOptions } from './verify-data.ts';

/** Exit code 1 if the structure of a database is damaged: its checksums stay as they were. */
export async function acceptDatabases(options: VerifyOptions, needs: CliNeeds): Promise<void> {
  const { settings } = configOf(options, needs);
  const { damages } = await needs.verifyDatabases(settings, { how: 'accept' });
  if (options.json) printJson({ damages });
  else {
    for (const damage of damages) print(escapeForTerminal(lineOf(damage)));
    print(damages.length === 0 ? 'databases: recorded as they are' : 'databases: not all could be recorded');
  }
  if (damages.length > 0) process.exitCode = 1;
}
