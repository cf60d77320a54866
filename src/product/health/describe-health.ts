/** How the server is, for its operator: every process, part, queue and store, with what is wrong first. */
import type { Clock } from '../../model/clock.ts';
import { priorityMs, watchedJobKinds } from '../../model/detect/watched-jobs.ts';
import { minuteMs } from '../../model/durations.ts';
import { isBackupOverdue } from '../../model/health/backup-age.ts';
import { type PartReport, type ProcessReport, partKinds } from '../../model/health/part-report.ts';
import { type PartState, partState, partStates } from '../../model/health/part-state.ts';
import type { DescribedState, ProcessState } from '../../model/health/process-state.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { LastBackup } from '../../store/backup.ts';
import type { StoreFault } from '../../store/engine/store-fault.ts';
import type { FreeSpace, SpaceState } from '../../store/free-space.ts';
import type { HealthStore, StoreSize } from '../../store/health-store.ts';
import type { JobStore } from '../../store/job-store.ts';

export interface HealthNeeds {
  readonly health: Pick<HealthStore, 'listReports' | 'listSizes' | 'findBackup'>;
  readonly jobs: Pick<JobStore, 'statistics' | 'findNextDueMs'>;
  readonly freeSpace: Pick<FreeSpace, 'state'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'backup'>;
  /** Those of a supervisor; none where there is no supervisor. */
  readonly processes?: () => readonly ProcessState[];
  readonly findFaults?: (() => Promise<readonly StoreFault[]>) | undefined;
}

export interface DescribedPart extends PartReport {
  readonly state: PartState;
  readonly process: string;
  readonly node: string | undefined;
}

export interface DescribedProcess extends ProcessReport {
  readonly state: DescribedState;
  /** How often its supervisor has started it again; absent where it has none. */
  readonly restarts?: number;
  /** How the one before it ended. */
  readonly lastEnd?: string;
}

export interface DescribedQueue {
  readonly kind: string;
  readonly due: number;
  readonly waiting: number;
  readonly leased: number;
  /** How long the first one has been due. */
  readonly oldestDueMs: number | undefined;
  readonly state: PartState;
}

export interface DescribedBackup {
  /** Undefined where none is known. */
  readonly last: LastBackup | undefined;
  /** Undefined where backups are made with the tools of the database: whether one is overdue is not known here. */
  readonly isOverdue: boolean | undefined;
}

export interface DescribedHealth {
  readonly processes: readonly DescribedProcess[];
  readonly parts: readonly DescribedPart[];
  readonly queues: readonly DescribedQueue[];
  readonly space: SpaceState;
  readonly stores: readonly StoreSize[];
  readonly backup: DescribedBackup;
  /** What the stores lack at the moment. */
  readonly faults: readonly StoreFault[];
}

const goneAfterMs = minuteMs;
/** A queue whose first job waits longer does not keep up. */
const queueLateMs = 30 * minuteMs;

export async function describeHealth(needs: HealthNeeds): Promise<DescribedHealth> {
  const nowMs = needs.clock.now();
  const reports = await needs.health.listReports();
  const processes = describeProcesses(reports, needs.processes?.() ?? [], nowMs);
  const parts = reports.flatMap((report) =>
    report.parts.map((part) => ({
      ...part,
      process: report.process,
      node: report.node,
      state: stateIn(report, part, nowMs),
    })),
  );
  const kinds = [...new Set(reports.flatMap(({ jobKinds }) => jobKinds))];
  return {
    processes,
    parts: parts.sort((one, other) => worstFirst(one, other) || byKind(one, other)),
    queues: (await Promise.all(kinds.map((kind) => describeQueue(kind, needs, nowMs)))).sort(worstFirst),
    space: needs.freeSpace.state(),
    stores: await needs.health.listSizes(),
    backup: await describeBackup(needs, nowMs),
    faults: (await needs.findFaults?.()) ?? [],
  };
}

function describeProcesses(
  reports: readonly ProcessReport[],
  supervised: readonly ProcessState[],
  nowMs: number,
): readonly DescribedProcess[] {
  // One that stopped in good order has removed its report.
  const missing = supervised
    .filter(({ name }) => !reports.some((report) => report.process === name))
    .map(unreported);
  return [...reports, ...missing].map((report) => {
    const state = nowMs - report.atMs > goneAfterMs ? 'gone' : 'working';
    const known = supervised.find(({ name }) => name === report.process);
    if (!known) return { ...report, state };
    const { restarts, lastEnd } = known;
    const described = { ...report, restarts, ...(lastEnd === undefined ? {} : { lastEnd }) };
    return { ...described, state: known.state === 'running' ? state : known.state };
  });
}

function unreported({ name, role, sinceMs }: ProcessState): ProcessReport {
  const none = { version: '', memoryBytes: 0, jobKinds: [], parts: [] };
  return { process: name, role, startedMs: sinceMs, atMs: sinceMs, ...none };
}

async function describeBackup(
  { health, settings }: Pick<HealthNeeds, 'health' | 'settings'>,
  nowMs: number,
): Promise<DescribedBackup> {
  const known = await health.findBackup();
  if (!known) return { last: undefined, isOverdue: undefined };
  const { last, dataSinceMs } = known;
  const state = { lastMs: last?.atMs, dataSinceMs };
  return { last, isOverdue: isBackupOverdue(state, settings.backup.maxAgeDays, nowMs) };
}

/** What a process did before it went says nothing about now. */
function stateIn({ atMs }: ProcessReport, part: PartReport, nowMs: number): PartState {
  const state = partState(part, atMs);
  return nowMs - atMs > goneAfterMs && state !== 'off' && state !== 'failing' ? 'late' : state;
}

async function describeQueue(
  kind: string,
  { jobs }: Pick<HealthNeeds, 'jobs'>,
  nowMs: number,
): Promise<DescribedQueue> {
  const [counts, nextMs] = await Promise.all([jobs.statistics(kind, nowMs), jobs.findNextDueMs(kind)]);
  // Jobs of watched domains are back-dated, so that they come before others.
  const isBackdated = (watchedJobKinds as readonly string[]).includes(kind);
  const overdueMs = nowMs - (nextMs ?? nowMs) - (isBackdated ? priorityMs : 0);
  const oldestDueMs = overdueMs > 0 ? overdueMs : undefined;
  const state = stateOfQueue(counts, oldestDueMs);
  return { kind, ...counts, oldestDueMs, state };
}

function stateOfQueue(
  { due, leased }: { readonly due: number; readonly leased: number },
  oldestDueMs: number | undefined,
): PartState {
  if (oldestDueMs !== undefined && oldestDueMs > queueLateMs) return 'late';
  return due + leased > 0 ? 'working' : 'idle';
}

function byKind(one: PartReport, other: PartReport): number {
  return partKinds.indexOf(one.kind) - partKinds.indexOf(other.kind);
}

function worstFirst(one: { readonly state: PartState }, other: { readonly state: PartState }): number {
  return partStates.indexOf(one.state) - partStates.indexOf(other.state);
}
