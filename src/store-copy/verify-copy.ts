/** Compares both sides of a copy: every row of every table, the lines of streams, archives, images, the audit log and the index of records. */
import type { Clock } from '../model/clock.ts';
import type { CopyRequest, CopyVerification } from '../store/copy/store-copier.ts';
import { compareArchives, compareImages, compareStreams, type Found, type Sides } from './compare-files.ts';
import { compareRows, type RowDifferences } from './compare-rows.ts';
import { openDistributed, openEmbedded, planTables } from './open-sides.ts';
import type { TablePlan } from './table-plan.ts';

export async function verifyCopy(request: CopyRequest, clock: Clock): Promise<CopyVerification> {
  const distributed = await openDistributed(request, clock);
  try {
    const embedded = await openEmbedded(request, clock);
    try {
      const plans = await planTables(
        ({ database, embedded: table }) => embedded.tables.listColumns(database, table),
        distributed,
      );
      const sides: Sides =
        request.direction === 'to-distributed' ? [embedded, distributed] : [distributed, embedded];
      return await compareAll(sides, plans, request);
    } finally {
      await embedded.close();
    }
  } finally {
    await distributed.close();
  }
}

async function compareAll(
  sides: Sides,
  plans: readonly TablePlan[],
  { onProgress }: CopyRequest,
): Promise<CopyVerification> {
  const found: Found = { compared: [], differences: [] };
  for (const plan of plans) await compareTable(sides, plan, found, onProgress);
  await compareStreams(sides, found, onProgress);
  await compareArchives(sides, found, onProgress);
  await compareImages(sides, plans, found, onProgress);
  for (const side of sides) {
    const { brokenAt } = await side.accounts.checkAudit();
    if (brokenAt !== undefined)
      found.differences.push(`${side.location}: the audit log is broken at entry ${brokenAt}`);
    const faults = await side.domains.verifyCounts((done) =>
      onProgress({ part: `index of records in ${side.location}`, done, unit: 'records' }),
    );
    found.differences.push(...faults.map((fault) => `${side.location}: ${fault}`));
  }
  return found;
}

async function compareTable(
  [source, target]: Sides,
  plan: TablePlan,
  { compared, differences }: Found,
  onProgress: CopyRequest['onProgress'],
): Promise<void> {
  const part = `${plan.table.database}: ${plan.name}`;
  const outcome: RowDifferences = await compareRows(
    plan,
    [source.scan(plan, false), target.scan(plan, false)],
    (done) => onProgress({ part, done, unit: 'rows' }),
  );
  const { rows, sha256 } = outcome;
  compared.push({ part, size: rows, sha256 });
  differences.push(...outcome.differences.map((difference) => `${part}: ${difference}`));
  if (plan.table.uncompared || !target.keepsNumbers(plan)) return;
  const [last = 0, lastOfCopy = 0] = [await source.lastNumber(plan), await target.lastNumber(plan)];
  if (lastOfCopy < last)
    differences.push(`${part}: numbers go on behind ${lastOfCopy}, and ${last} was given already`);
}
