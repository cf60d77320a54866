/** Opens both sides of a copy, unless one of them is in use, of another version, or has another secret. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../model/clock.ts';
import { minuteMs } from '../model/durations.ts';
import { Problem } from '../model/problem.ts';
import type { CopyRequest } from '../store/copy/store-copier.ts';
import { listColumns } from '../store/distributed/copy/table-columns.ts';
import { listRunning } from '../store/distributed/copy/whole-stores.ts';
import { listPendingMigrations } from '../store/embedded/backup/schema.ts';
import { databaseNames, pathOf } from '../store/embedded/copy/copied-databases.ts';
import { refuseUnfinishedCopy } from '../store/embedded/copy/copy-state.ts';
import { keyVault } from '../store/key-vault.ts';
import type { CopiedTable } from './copied-table.ts';
import { copiedTables } from './copied-tables.ts';
import { type DistributedSide, openDistributedSide } from './distributed-side.ts';
import { openEmbeddedSide } from './embedded-side.ts';
import type { ReaderSide } from './reader-side.ts';
import { planTable, type TablePlan } from './table-plan.ts';

export function secretOf({ settings }: Pick<CopyRequest, 'settings'>): Buffer {
  if (settings.secret !== '') return Buffer.from(settings.secret, 'hex');
  throw new Problem(
    'invalid-parameters',
    'secret is empty: distributed stores need it, and keys are copied as they are encrypted; set it to the content of secret.key',
  );
}

/** Throws while nodes run. */
export async function openDistributed(request: CopyRequest, clock: Clock): Promise<DistributedSide> {
  const { store } = request.settings;
  const side = await openDistributedSide({ store, secret: secretOf(request), clock });
  try {
    await refuseRunning(side, clock);
    return side;
  } catch (error) {
    await side.close();
    throw error;
  }
}

export async function refuseRunning({ database }: DistributedSide, clock: Clock): Promise<void> {
  const running = await listRunning(database, clock.now() - minuteMs);
  if (running.length === 0) return;
  throw new Problem(
    'unavailable',
    `nodes run on these stores (${running.join(', ')}): stop them, and a minute later repeat the command`,
  );
}

/** A complete data directory of this version with the same secret. */
export async function openEmbedded(request: CopyRequest, clock: Clock) {
  const { directory: data } = request;
  const secret = secretOf(request);
  if (!existsSync(join(data, 'accounts.db')))
    throw new Problem('not-found', `there is no data of Nameglass in ${data}`);
  refuseUnfinishedCopy(data);
  refuseOtherSecret(data, secret);
  const pending = listPendingMigrations(data);
  const isMissing = databaseNames.some((name) => !existsSync(pathOf(data, name)));
  if (pending.length > 0 || isMissing)
    throw new Problem(
      'unavailable',
      `${data} was written by an earlier version; upgrade it first: nameglass account list --data ${data}`,
    );
  return openEmbeddedSide({ data, secret, clock });
}

/** Sealed keys stay as they are. */
export function refuseOtherSecret(data: string, secret: Buffer): void {
  const path = join(data, 'secret.key');
  if (!existsSync(path) || readFileSync(path, 'utf8').trim() === secret.toString('hex')) return;
  throw new Problem(
    'invalid-parameters',
    `secret: it is not the one in ${path}, with which the stored keys are encrypted; set it to the content of that file`,
  );
}

export async function refuseUnreadableKeys(source: ReaderSide, secret: Buffer): Promise<void> {
  const found = await source.findSealedKey();
  if (!found) return;
  try {
    keyVault(secret).open(found.sealed, found.username);
  } catch (error) {
    throw new Problem(
      'invalid-parameters',
      `secret: the stored keys of ${source.location} are encrypted with another one`,
      { cause: error },
    );
  }
}

/** What may be in the directory of a new copy: the secret, and passive DNS, which is not copied. */
const mayBeThere = new Set(['secret.key', 'rrsets', 'lost+found']);

export function refuseFilled(data: string): void {
  const found = existsSync(data) ? readdirSync(data).find((name) => !mayBeThere.has(name)) : undefined;
  if (found === undefined) return;
  throw new Problem('invalid-parameters', `--to: ${data} is not empty (${found}); choose a new directory`);
}

export async function planTables(
  columnsOf: (table: CopiedTable) => readonly string[],
  { database }: DistributedSide,
): Promise<readonly TablePlan[]> {
  const known = await listColumns(database);
  return copiedTables.map((table) => planTable(table, columnsOf(table), known.get(table.distributed) ?? []));
}
