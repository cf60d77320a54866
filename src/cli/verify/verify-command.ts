/** `nameglass verify`: reads stored data and names what is damaged, or does not agree. */
import type { Command } from 'commander';
import type { CliNeeds } from '../needs.ts';
import { printJson } from '../output.ts';
import { withSettings } from '../settings-options.ts';
import { acceptDatabases } from './accept-databases.ts';
import { skipDamaged } from './skip-damaged.ts';
import { verifyAudit } from './verify-audit.ts';
import { verifyBackup } from './verify-backup.ts';
import { verifyCounts } from './verify-counts.ts';
import { type VerifyOptions, verifyData, verifyKinds } from './verify-data.ts';

export function addVerify(program: Command, needs: CliNeeds): void {
  const verify = program.command('verify');
  for (const [kind, description] of Object.entries(verifyKinds)) {
    const command = withSettings(verify.command(kind).description(description)).option(
      '--json',
      'print JSON',
    );
    if (kind === 'streams')
      command.option(
        '--skip-damaged',
        'move consumers that stopped at damage behind it; they miss what is there',
      );
    if (kind === 'databases')
      command.option(
        '--accept',
        'record their present content as right, where the structure is intact; stop the server first',
      );
    command.action((options: VerifyOptions & { skipDamaged?: boolean; accept?: boolean }) => {
      if (options.skipDamaged) return skipDamaged(options, needs);
      if (options.accept) return acceptDatabases(options, needs);
      return printed(verifyData([kind as keyof typeof verifyKinds], options, needs), options);
    });
  }
  withSettings(
    verify
      .command('counts')
      .description('recount how many domains share each value; exit code 1 if a count is wrong'),
  )
    .option('--json', 'print JSON')
    .action((options: VerifyOptions) => printed(verifyCounts(options, needs), options));
  withSettings(verify.command('audit').description('check the hash chain of the audit log'))
    .option('--json', 'print JSON')
    .action((options: VerifyOptions) => printed(verifyAudit(options, needs), options));
  withSettings(
    verify
      .command('backup <directory>')
      .description('read a whole backup, compare it with its manifest, and check its databases'),
  )
    .option('--json', 'print JSON')
    .action((directory: string, options: { json?: boolean }) => verifyBackup(directory, options, needs));
  withSettings(verify.command('all').description('all of these, except backup'))
    .option('--json', 'print JSON')
    .action((options: VerifyOptions) => printed(verifyAll(options, needs), options));
}

async function verifyAll(options: VerifyOptions, needs: CliNeeds): Promise<object> {
  const kinds = Object.keys(verifyKinds) as (keyof typeof verifyKinds)[];
  const { damages } = await verifyData(kinds, options, needs);
  return {
    damages,
    audit: await verifyAudit(options, needs),
    counts: await verifyCounts(options, needs),
  };
}

/** One document, whatever was verified; text is printed while it is found. */
async function printed(check: Promise<object>, { json }: VerifyOptions): Promise<void> {
  const result = await check;
  if (json) printJson(result);
}
