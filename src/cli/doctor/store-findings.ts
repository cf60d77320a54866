/** Checks of the stores that `nameglass doctor` opens. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { isUpToDate, storedProgress } from '../../pipeline/scoring/stored-progress.ts';
import { openRiskScorer } from '../../product/risk/open-risk-scorer.ts';
import type { Stores } from '../../stores.ts';
import type { CliNeeds } from '../needs.ts';
import { backupFinding, diskFinding } from './backup-findings.ts';
import { dataFindings } from './data-findings.ts';
import { type Finding, finding } from './finding.ts';
import { clockFinding, serverFindings } from './server-findings.ts';

const segmentsMax = 100;

export async function storeFindings(settings: Settings, needs: CliNeeds): Promise<Finding[]> {
  const { clock } = needs;
  try {
    const stores = await needs.openStores(settings, { create: false });
    try {
      const { brokenAt: broken } = await stores.accounts.checkAudit();
      const users = await stores.accounts.listUsers({ limit: 1 });
      return [
        finding(canBeOpened(settings), true, 'fail', ''),
        ...(settings.store.kind === 'embedded'
          ? [privateFile(settings, 'secret.key'), privateFile(settings, 'accounts.db')]
          : []),
        await keysOpen(stores, users[0]?.user.username),
        finding(
          'the audit log is intact',
          broken === undefined,
          'fail',
          `entry ${broken} was changed or removed`,
        ),
        finding(
          'an account exists',
          users.length > 0,
          'warn',
          'create one: npx nameglass account create --username NAME',
        ),
        await backupFinding(stores, settings, clock.now()),
        await diskFinding(stores, clock.now()),
        clockFinding(settings, clock.now()),
        ...(await serverFindings(stores, settings, clock)),
        await segmentsCompacted(stores),
        await scoresCurrent(settings, stores),
        ...(await dataFindings(stores)),
      ];
    } finally {
      await stores.close();
    }
  } catch (error) {
    const empty = error instanceof Problem && error.code === 'not-found';
    const advice = empty
      ? `${settings.data} has no data yet; the first start creates it`
      : (error as Error).message;
    return [finding(canBeOpened(settings), false, empty ? 'warn' : 'fail', advice)];
  }
}

function canBeOpened({ store }: Settings): string {
  return store.kind === 'embedded' ? 'the data directory can be opened' : 'the stores can be opened';
}

/** Every lookup searches every segment, so many segments mean that compaction has stopped. */
async function segmentsCompacted({ rrsets }: Stores): Promise<Finding> {
  const { segments } = await rrsets.statistics();
  const advice = `there are ${segments} segments: is the disk full? Any import compacts them`;
  return finding('passive DNS segments are compacted', segments <= segmentsMax, 'warn', advice);
}

async function scoresCurrent(settings: Settings, stores: Stores): Promise<Finding> {
  const check = 'scores are of the current risk model and settings';
  try {
    const progress = await storedProgress({ ...stores, scorer: openRiskScorer(settings) });
    const { records, current } = progress;
    const compared = `${current.toLocaleString('en')} of ${records.toLocaleString('en')} records were compared with it`;
    const next =
      current === 0
        ? 'a server that runs with the settings of this command will compare them (a demonstration has settings of its own)'
        : 'a running server compares the others and scores them again where they differ';
    const advice = `${compared}; ${next}`;
    return finding(check, isUpToDate(progress), 'warn', advice);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return finding(check, false, 'fail', error.message);
  }
}

/** One key is enough: all are encrypted under the same secret. */
async function keysOpen({ accounts }: Stores, username: string | undefined): Promise<Finding> {
  const check = 'stored keys decrypt with the server secret';
  if (username === undefined) return finding(check, true, 'fail', '');
  try {
    await accounts.findSigningKey(username);
    return finding(check, true, 'fail', '');
  } catch (error) {
    return finding(check, false, 'fail', (error as Error).message);
  }
}

function privateFile(settings: Settings, name: string): Finding {
  const path = join(settings.data, name);
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0o600;
  const parent = statSync(settings.data).mode;
  const shut = (mode & 0o077) === 0 || (parent & 0o077) === 0;
  return finding(`${name} is private`, shut, 'warn', `other users can read it: chmod 700 ${settings.data}`);
}
