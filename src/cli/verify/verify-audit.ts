/** `nameglass verify audit`: the hash chain of the audit log. */
import { join } from 'node:path';
import type { Damage } from '../../store/damage.ts';
import type { CliNeeds } from '../needs.ts';
import { counted, print } from '../output.ts';
import { withStores } from '../with-stores.ts';
import { lineOf, type VerifyOptions } from './verify-data.ts';

interface AuditCheck {
  readonly entries: number;
  readonly damages: readonly Damage[];
}

/** Exit code 1 if an entry was changed or removed. */
export async function verifyAudit(options: VerifyOptions, needs: CliNeeds): Promise<AuditCheck> {
  let check: AuditCheck = { entries: 0, damages: [] };
  await withStores(options, needs, async ({ accounts }, { data }) => {
    const { checked, brokenAt } = await accounts.checkAudit();
    const damages =
      brokenAt === undefined
        ? []
        : [
            {
              file: join(data, 'accounts.db'),
              problem: `entry ${brokenAt} of the audit log was changed or removed`,
            },
          ];
    check = { entries: checked, damages };
    if (!options.json) {
      for (const damage of damages) print(lineOf(damage));
      print(damages.length === 0 ? `audit: intact (${counted(checked, 'line')})` : 'audit: 1 damage');
    }
    if (damages.length > 0) process.exitCode = 1;
  });
  return check;
}
