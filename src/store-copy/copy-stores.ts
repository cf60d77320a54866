/** Copies everything from one kind of stores to the other. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../model/clock.ts';
import { Problem } from '../model/problem.ts';
import type { CopyRequest, CopySummary } from '../store/copy/store-copier.ts';
import { findCopy } from '../store/distributed/copy/copy-state.ts';
import { findFilled, whileLocked } from '../store/distributed/copy/whole-stores.ts';
import { databaseNames, openForCopy } from '../store/embedded/copy/copied-databases.ts';
import { findCopy as findCopyIn } from '../store/embedded/copy/copy-state.ts';
import { columnsOf } from '../store/embedded/copy/read-tables.ts';
import type { CopiedTable } from './copied-table.ts';
import { copiedTables } from './copied-tables.ts';
import { copyArchives } from './copy-archives.ts';
import { copyLines } from './copy-lines.ts';
import type { DistributedSide } from './distributed-side.ts';
import { DistributedTarget } from './distributed-target.ts';
import { EmbeddedTarget } from './embedded-target.ts';
import {
  openDistributed,
  openEmbedded,
  planTables,
  refuseFilled,
  refuseOtherSecret,
  refuseRunning,
  refuseUnreadableKeys,
  secretOf,
} from './open-sides.ts';
import type { ReaderSide } from './reader-side.ts';
import type { TablePlan } from './table-plan.ts';
import type { TargetSide } from './target-side.ts';

interface Copy {
  readonly source: ReaderSide;
  readonly target: TargetSide;
  readonly plans: readonly TablePlan[];
}

export async function copyStores(request: CopyRequest, clock: Clock): Promise<CopySummary> {
  const distributed = await openDistributed(request, clock);
  try {
    const copy = request.direction === 'to-distributed' ? copyIn : copyOut;
    const summary = await whileLocked(distributed.database, () => copy(request, distributed, clock));
    if (summary) return summary;
    throw new Problem('unavailable', 'another copy from or to these stores is under way; wait for its end');
  } finally {
    await distributed.close();
  }
}

export async function isCopied(request: CopyRequest, clock: Clock): Promise<boolean> {
  if (request.direction === 'to-embedded') return findCopyIn(request.directory)?.isComplete === true;
  const distributed = await openDistributed(request, clock);
  try {
    return (await findCopy(distributed.database))?.isComplete === true;
  } finally {
    await distributed.close();
  }
}

async function copyIn(
  request: CopyRequest,
  distributed: DistributedSide,
  clock: Clock,
): Promise<CopySummary> {
  const source = await openEmbedded(request, clock);
  try {
    await refuseUnreadableKeys(source, secretOf(request));
    const plans = await planTables(
      ({ database, embedded }) => source.tables.listColumns(database, embedded),
      distributed,
    );
    const fingerprint = await source.fingerprint();
    await refuseOtherRows(distributed, fingerprint);
    const target = await DistributedTarget.begin(distributed, clock, fingerprint);
    return await copyAll({ source, target, plans }, request);
  } finally {
    await source.close();
  }
}

async function copyOut(request: CopyRequest, source: DistributedSide, clock: Clock): Promise<CopySummary> {
  const { directory: data } = request;
  const secret = secretOf(request);
  const fingerprint = await source.fingerprint();
  const before = findCopyIn(data);
  if (!before) refuseFilled(data);
  else if (before.isComplete || before.source !== fingerprint) throw otherCopy(`remove ${data}`);
  refuseOtherSecret(data, secret);
  await refuseUnreadableKeys(source, secret);
  const state = before ?? { source: fingerprint, isComplete: false, parts: [] };
  const target = new EmbeddedTarget({ data, secret, clock }, state);
  try {
    writeSecret(data, secret);
    const plans = await planTables(columnsOfNew(data), source);
    const summary = await copyAll({ source, target, plans }, request);
    await refuseRunning(source, clock);
    return summary;
  } finally {
    await target.close();
  }
}

/** Of databases that the copy makes, or has made. */
function columnsOfNew(data: string): (table: CopiedTable) => readonly string[] {
  const known = new Map<CopiedTable, readonly string[]>();
  for (const name of databaseNames) {
    const database = openForCopy(data, name);
    for (const table of copiedTables)
      if (table.database === name) known.set(table, columnsOf(database, table.embedded));
    database.close();
  }
  return (table) => known.get(table) ?? [];
}

async function copyAll({ source, target, plans }: Copy, { onProgress }: CopyRequest): Promise<CopySummary> {
  let rows = 0;
  let images = 0;
  const progress: CopyRequest['onProgress'] = (state) => {
    if (state.unit === 'images') images = state.done;
    onProgress(state);
  };
  for (const name of databaseNames) {
    const own = plans.filter(({ table }) => table.database === name);
    rows += await target.putTables(name, own, source, progress);
  }
  const streamBytes = await copyLines(source, target, onProgress);
  const archives = await copyArchives(source, target, onProgress);
  const { records } = await target
    .open()
    .domains.reindex((done) => onProgress({ part: 'index of records', done, unit: 'records' }));
  await target.complete();
  return { tables: plans.length, rows, streamBytes, archives, images, records };
}

/** Tables that have rows which this copy did not make. */
async function refuseOtherRows({ database }: DistributedSide, fingerprint: string): Promise<void> {
  const before = await findCopy(database);
  const advice = `begin with empty tables: drop schema ${database.schema}, then "nameglass store migrate"`;
  if (before) {
    if (before.isComplete || before.source !== fingerprint) throw otherCopy(advice);
    return;
  }
  const tables = copiedTables.filter(({ isNeverEmpty }) => !isNeverEmpty);
  const names = [...new Set(tables.map(({ distributed }) => distributed)), 'stream', 'archive_file'];
  const filled = await findFilled(database, names);
  if (filled) throw new Problem('invalid-parameters', `--to: table ${filled} is not empty; ${advice}`);
}

function otherCopy(advice: string): Problem {
  return new Problem(
    'invalid-parameters',
    `--to: there is a copy that is complete, or of other data than --from has now; ${advice}`,
  );
}

/** So that the directory works without the setting. */
function writeSecret(data: string, secret: Buffer): void {
  const path = join(data, 'secret.key');
  if (!existsSync(path))
    writeFileSync(path, `${secret.toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
}
