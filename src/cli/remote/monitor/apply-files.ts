/** `nameglass monitor apply DIRECTORY`: makes the monitors of the account those of the files, after showing what would change and what that would have meant. */
import type { Command } from 'commander';
import { NameglassError } from '../../../client/nameglass-error.ts';
import type { DeclaredMonitor } from '../../../product/detect/monitor-files/declared-monitor.ts';
import type {
  Difference,
  ExistingMonitor,
  PlannedChange,
} from '../../../product/detect/monitor-files/plan-changes.ts';
import { type Column, member } from '../../listing/column.ts';
import type { CliNeeds } from '../../needs.ts';
import { counted } from '../../output.ts';
import { collected } from '../given-names.ts';
import { confirm } from '../prompt.ts';
import { type Remote, type RemoteOptions, remoteAction, withRemote } from '../remote-command.ts';
import { RemoteFailure, usageFailure } from '../remote-failure.ts';
import { allMonitors } from './all-monitors.ts';
import { type BackTest, backTest } from './back-test-change.ts';
import { existingMonitor, wireSettings } from './monitor-wire.ts';
import { readMonitorFiles } from './read-monitor-files.ts';
import { showFailed } from './test-files.ts';

interface ApplyOptions extends RemoteOptions {
  readonly plan?: boolean;
  readonly prune?: boolean;
  readonly yes?: boolean;
  readonly backTest: boolean;
}

/** What is not kept as it is. */
type Change = Exclude<PlannedChange, { action: 'keep' }>;

interface Row {
  readonly action: 'create' | 'change' | 'delete' | 'undeclared';
  readonly term: string;
  readonly changes: readonly string[];
  readonly back_test: BackTest | undefined;
}

const columns: readonly Column<Row>[] = [
  member('action', { keep: true, colour: (action) => colours[String(action)] }),
  member('term', { keep: true }),
  member('changes'),
  { name: 'back_test', title: 'OVER 90 DAYS', value: ({ back_test: found }) => found && effectOf(found) },
];

const colours: Readonly<Record<string, 'green' | 'yellow' | 'red'>> = {
  create: 'green',
  change: 'yellow',
  delete: 'red',
};

export function addApply(monitor: Command, needs: CliNeeds): void {
  const command = monitor
    .command('apply')
    .description('make the monitors those of YAML files, after showing the changes and testing the files')
    .argument('<directory>', 'with .yaml files, or one file')
    .option('--plan', 'show the changes, and make none')
    .option('--prune', 'also delete monitors that no file declares')
    .option('--no-back-test', 'do not search the last 90 days for what the changes would have meant')
    .option('-y, --yes', 'make the changes without asking');
  withRemote(command).action(remoteAction(needs, applyFiles));
}

async function applyFiles(remote: Remote, path: string): Promise<void> {
  const options = remote.options as ApplyOptions;
  const declared = await readMonitorFiles(path);
  if ((await showFailed(declared, options, remote.needs)) > 0)
    throw new RemoteFailure('nothing was changed: tests in the files failed');
  const { planChanges } = await import('../../../product/detect/monitor-files/plan-changes.ts');
  const existing = (await collected(allMonitors(remote))).map(existingMonitor);
  const plan = planChanges(declared, existing);
  const changes = plan.filter((one): one is Change => one.action !== 'keep');
  await show(changes, remote, options);
  const work = changes.filter(({ action }) => action !== 'undeclared' || options.prune);
  remote.note(summaryOf(plan, options));
  if (options.plan) return;
  if (work.length > 0) await refuseUnconfirmed(options, work.length);
  for (const change of work) await apply(change, remote);
  await recordFiles(plan, remote);
  if (work.length === 0) return;
  remote.note('Applied. The previous version of the files, applied in the same way, undoes it.');
}

async function show(changes: readonly Change[], remote: Remote, options: ApplyOptions): Promise<void> {
  const output = remote.listing(columns);
  let isLimited = !options.backTest;
  for (const change of changes) {
    const isLeft = change.action === 'undeclared' && !options.prune;
    let found: BackTest | undefined;
    try {
      found = isLimited || isLeft ? undefined : await backTest(change, remote);
    } catch (error) {
      if (!(error instanceof NameglassError) || error.code !== 'limit') throw error;
      isLimited = true;
      remote.note('The limit of previews is used up: the other changes are shown without a back-test.');
    }
    await output.add(rowOf(change, found, options));
  }
  if (changes.length > 0) await output.end();
}

function rowOf(change: Change, found: BackTest | undefined, { prune = false }: ApplyOptions): Row {
  const { action } = change;
  if (action === 'undeclared') {
    const { term } = change.existing;
    return { action: prune ? 'delete' : 'undeclared', term, changes: [], back_test: found };
  }
  const { term } = change.declared;
  const changes =
    action === 'create' ? settingTexts(change.declared) : change.differences.map(differenceText);
  return { action, term, changes, back_test: found };
}

function settingTexts(declared: DeclaredMonitor): readonly string[] {
  const { state, matchSubstringVariations, textExclusions, nameserverExclusions, passiveOnly } = declared;
  return [
    ...(state === 'inactive' ? ['inactive'] : []),
    ...(matchSubstringVariations ? ['variations inside names too'] : []),
    ...(passiveOnly ? ['passive only'] : []),
    ...[...textExclusions, ...nameserverExclusions].map((text) => `without ${text}`),
  ];
}

function differenceText({ setting, added, removed }: Difference): string {
  const isList = setting.endsWith('_exclusions');
  if (!isList) return `${setting}: ${removed[0]} → ${added[0]}`;
  return `${setting}: ${[...added.map((one) => `+${one}`), ...removed.map((one) => `-${one}`)].join(' ')}`;
}

/** `+41`, `-3 (1 watched, 2 ignored)` */
function effectOf({ appearing, disappearing, complete }: BackTest): string {
  const decided = (['watched', 'ignored', 'escalated'] as const)
    .filter((state) => disappearing[state] > 0)
    .map((state) => `${disappearing[state]} ${state}`);
  const gone = `-${disappearing.total_count}${decided.length > 0 ? ` (${decided.join(', ')})` : ''}`;
  const parts = [
    ...(appearing.total_count > 0 ? [`+${appearing.total_count}`] : []),
    ...(disappearing.total_count > 0 ? [gone] : []),
  ];
  const effect = parts.length > 0 ? parts.join(' ') : 'none';
  return complete ? effect : `${effect}, at least`;
}

function summaryOf(plan: readonly PlannedChange[], { prune = false }: ApplyOptions): string {
  const count = (action: PlannedChange['action']) => plan.filter((one) => one.action === action).length;
  const undeclared = count('undeclared');
  const parts = [
    `${count('create')} to create`,
    `${count('change')} to change`,
    ...(prune ? [`${undeclared} to delete`] : []),
    `${count('keep')} as declared`,
  ];
  const left =
    undeclared > 0 && !prune
      ? ` No file declares ${counted(undeclared, 'monitor')} more; --prune deletes them.`
      : '';
  return `${parts.join(', ')}.${left}`;
}

async function refuseUnconfirmed({ yes = false }: ApplyOptions, changes: number): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY) throw usageFailure('nothing was changed: --yes makes the changes without asking');
  if (!(await confirm(`Make ${counted(changes, 'change')}?`))) throw new RemoteFailure('nothing was changed');
}

const path = '/v1/intel-detect/monitors/';

/** So that the server can show which file a monitor is from, and what has changed since. */
async function recordFiles(plan: readonly PlannedChange[], { client }: Remote): Promise<void> {
  for (const one of plan) {
    if (one.action !== 'keep' || one.existing.declaredIn === one.declared.file) continue;
    await client.json(path, {
      method: 'PUT',
      query: { monitor_id: one.existing.id },
      body: { declared_in: one.declared.file },
    });
  }
}

async function apply(change: Change, { client }: Remote): Promise<void> {
  if (change.action === 'undeclared') {
    await client.json(path, { method: 'DELETE', query: { monitor_id: change.existing.id } });
    return;
  }
  const body = wireSettings(change.declared);
  const update = (id: string) =>
    client.json(path, {
      method: 'PUT',
      query: { monitor_id: id },
      body: { ...body, state: change.declared.state, declared_in: change.declared.file },
    });
  if (change.action === 'change') {
    await update(change.existing.id);
    return;
  }
  const { term } = change.declared;
  const { monitor } = await client.json<{ monitor: Pick<ExistingMonitor, 'id'> }>(path, {
    body: { term, ...body },
  });
  // A new monitor is active, and no file declares it yet.
  await update(monitor.id);
}
