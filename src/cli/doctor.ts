/** `nameglass doctor`: checks settings and data for common problems. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { containsAddress } from '../model/address/address-list.ts';
import { Problem } from '../model/problem.ts';
import type { Settings } from '../model/settings/settings.ts';
import { isUpToDate, storedProgress } from '../pipeline/scoring/stored-progress.ts';
import { openRiskScorer } from '../product/risk/open-risk-scorer.ts';
import type { Stores } from '../stores.ts';
import { databaseFindings, dataFindings } from './data-findings.ts';
import { type Finding, finding } from './finding.ts';
import type { CliNeeds } from './needs.ts';
import { printJson, printTable } from './output.ts';
import { configOf, withSettings } from './settings-options.ts';
import { spaceText } from './space-text.ts';

const segmentsMax = 100;
const loopback = ['127.0.0.0/8', '::1/128'];

export function addDoctor(program: Command, needs: CliNeeds): void {
  withSettings(program.command('doctor').description('check the installation; exit code 1 if a check fails'))
    .option('--json', 'print JSON')
    .action(async (options) => {
      const { settings } = configOf(options, needs);
      const findings = [
        nodeVersion(),
        ...settingsFindings(settings),
        ...(await databaseFindings(settings, needs)),
        ...(await storeFindings(settings, needs)),
      ];
      if (options.json) printJson(findings);
      else
        printTable(
          ['CHECK', 'STATE', ''],
          findings.map(({ check, state, advice }) => [check, state, advice]),
        );
      if (findings.some(({ state }) => state === 'fail')) process.exitCode = 1;
    });
}

function nodeVersion(): Finding {
  const major = Number(process.versions.node.split('.')[0]);
  return finding(
    'Node.js 24 or later',
    major >= 24,
    'fail',
    `this is ${process.version}; start through npm or npx`,
  );
}

function settingsFindings(settings: Settings): Finding[] {
  const { http, auth } = settings;
  const exposed = http.host !== 'localhost' && !containsAddress(loopback, http.host);
  const exposedTo = http.operatorAddresses.filter((range) => !loopback.includes(range));
  return [
    finding(
      'API keys are encrypted in transit',
      !exposed || http.publicUrl.startsWith('https:'),
      'warn',
      'the server listens on the network; put a TLS proxy in front and set http.publicUrl to an https URL',
    ),
    finding(
      'only SHA-256 signatures are accepted',
      auth.signatureDigests.length === 0,
      'warn',
      'auth.signatureDigests allows weaker digests',
    ),
    finding(
      'metrics are restricted to the operator',
      exposedTo.length === 0,
      'warn',
      `/metrics is open to ${exposedTo.join(' ')}`,
    ),
  ];
}

async function storeFindings(settings: Settings, needs: CliNeeds): Promise<Finding[]> {
  try {
    const stores = await needs.openStores(settings, { create: false });
    try {
      const { brokenAt: broken } = await stores.accounts.checkAudit();
      const users = await stores.accounts.listUsers({ limit: 1 });
      return [
        finding('the data directory can be opened', true, 'fail', ''),
        privateFile(settings, 'secret.key'),
        privateFile(settings, 'accounts.db'),
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
        diskSpace(stores),
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
    return [finding('the data directory can be opened', false, empty ? 'warn' : 'fail', advice)];
  }
}

/** A warning while there is less than twice the reserve. */
function diskSpace({ freeSpace }: Stores): Finding {
  const state = freeSpace.state();
  const { isLow, freeBytes, reserveBytes } = state;
  const advice = `${spaceText(state)}${isLow ? ': nothing is ingested or collected' : ''}. Free some, or shorten retention`;
  return finding(
    'the data directory has disk space',
    !isLow && freeBytes >= 2 * reserveBytes,
    isLow ? 'fail' : 'warn',
    advice,
  );
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
