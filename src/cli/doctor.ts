/** `nameglass doctor`: looks for what would go wrong later. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { containsAddress } from '../model/address-range.ts';
import { Problem } from '../model/problem.ts';
import type { Settings } from '../model/settings.ts';
import type { CliNeeds, Stores } from './needs.ts';
import { printJson, printTable } from './output.ts';
import { configOf, withSettings } from './settings-options.ts';

interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly advice: string;
}

const runsMax = 100;
const loopback = ['127.0.0.0/8', '::1/128'];

export function addDoctor(program: Command, needs: CliNeeds): void {
  withSettings(program.command('doctor').description('check the set-up; exit code 1 when something fails'))
    .option('--json', 'print JSON')
    .action(async (options) => {
      const { settings } = configOf(options, needs);
      const findings = [
        nodeVersion(),
        ...settingsFindings(settings),
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
  const wide = http.operatorAddresses.filter((range) => !loopback.includes(range));
  return [
    finding(
      'keys travel encrypted',
      !exposed || http.publicUrl.startsWith('https:'),
      'warn',
      'the server faces the network; put TLS in front and set http.publicUrl to https',
    ),
    finding(
      'only SHA-256 signatures',
      auth.signatureDigests.length === 0,
      'warn',
      'auth.signatureDigests allows old ones',
    ),
    finding(
      'metrics are for the operator',
      wide.length === 0,
      'warn',
      `/metrics is open to ${wide.join(' ')}`,
    ),
  ];
}

async function storeFindings(settings: Settings, needs: CliNeeds): Promise<Finding[]> {
  try {
    const stores = await needs.openStores(settings, { create: false });
    try {
      const broken = await stores.accounts.findAuditBreak();
      const users = await stores.accounts.listUsers({ limit: 1 });
      return [
        finding('the data directory opens', true, 'fail', ''),
        privateFile(settings, 'secret.key'),
        privateFile(settings, 'accounts.db'),
        await keysOpen(stores, users[0]?.user.username),
        finding(
          'the audit log is whole',
          broken === undefined,
          'fail',
          `entry ${broken} was changed or removed`,
        ),
        finding(
          'there is an account',
          users.length > 0,
          'warn',
          'make one: npx nameglass account create --username NAME',
        ),
        await rrsetsMerged(stores),
      ];
    } finally {
      await stores.close();
    }
  } catch (error) {
    const empty = error instanceof Problem && error.code === 'not-found';
    const advice = empty
      ? `nothing is in ${settings.data} yet; the first start makes it`
      : (error as Error).message;
    return [finding('the data directory opens', false, empty ? 'warn' : 'fail', advice)];
  }
}

/** Every lookup searches every run, so many runs mean that merging has stopped. */
async function rrsetsMerged({ rrsets }: Stores): Promise<Finding> {
  const { runs } = await rrsets.statistics();
  const advice = `there are ${runs} runs: is the disk full? Any import merges them`;
  return finding('passive DNS is merged', runs <= runsMax, 'warn', advice);
}

/** One key stands for all: they are sealed under the same secret. */
async function keysOpen({ accounts }: Stores, username: string | undefined): Promise<Finding> {
  const check = 'stored keys open with the server secret';
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
  return finding(`${name} is private`, shut, 'warn', `others can read it: chmod 700 ${settings.data}`);
}

function finding(check: string, fine: boolean, otherwise: 'warn' | 'fail', advice: string): Finding {
  return fine ? { check, state: 'ok', advice: '' } : { check, state: otherwise, advice };
}
