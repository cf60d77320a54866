/** PostgreSQL and the object store, as the source of a copy or to verify one. */
import type { Clock } from '../model/clock.ts';
import { Problem } from '../model/problem.ts';
import type { Settings } from '../model/settings/settings.ts';
import { openAccountStore } from '../store/distributed/account/account-store.ts';
import { openArchiveStore } from '../store/distributed/archive/archive-store.ts';
import { findImage } from '../store/distributed/copy/copied-images.ts';
import { findStart, listMinutes } from '../store/distributed/copy/copied-streams.ts';
import { lastNumber, scanTable } from '../store/distributed/copy/read-tables.ts';
import { findSealedKey, fingerprintOf, listArchives } from '../store/distributed/copy/whole-stores.ts';
import { databasesOf } from '../store/distributed/distributed-engines.ts';
import { openDomainStore } from '../store/distributed/domain/domain-store.ts';
import { PostgresDatabase } from '../store/distributed/postgres/database.ts';
import { missingMigrations } from '../store/distributed/postgres/migrations.ts';
import { type Objects, openObjects } from '../store/distributed/s3/open-objects.ts';
import { openStreamStore } from '../store/distributed/stream/stream-store.ts';
import { keyVault } from '../store/key-vault.ts';
import type { ReaderSide } from './reader-side.ts';
import { selectionOf } from './table-plan.ts';

export interface DistributedOptions {
  readonly store: Settings['store'];
  readonly secret: Buffer;
  readonly clock: Clock;
}

export interface DistributedSide extends ReaderSide {
  readonly database: PostgresDatabase;
  readonly objects: Objects;
  readonly streams: ReturnType<typeof openStreamStore>;
}

/** Throws unless the tables are those of this version. */
export async function openDistributedSide(options: DistributedOptions): Promise<DistributedSide> {
  const { store, secret, clock } = options;
  const [main, ...shards] = databasesOf(store);
  if (!main || shards.length > 0)
    throw new Problem(
      'invalid-parameters',
      'store.postgres.shards must be empty: records in several databases cannot be copied',
    );
  const database = new PostgresDatabase(main);
  try {
    const { length } = await missingMigrations(database);
    if (length > 0)
      throw new Problem(
        'unavailable',
        `PostgreSQL lacks ${length} migrations of this version; run "nameglass store migrate" first`,
      );
    const objects = openObjects(database, store.s3);
    await objects.ask();
    return sideOf(database, objects, { secret, clock });
  } catch (error) {
    await database.close();
    throw error;
  }
}

function sideOf(
  database: PostgresDatabase,
  objects: Objects,
  { secret, clock }: Pick<DistributedOptions, 'secret' | 'clock'>,
): DistributedSide {
  const accounts = openAccountStore(database, keyVault(secret), { accountCacheMs: 0 });
  const streams = openStreamStore(database, objects);
  const domains = openDomainStore(database, clock);
  return {
    accounts,
    streams,
    domains,
    archives: openArchiveStore(database, objects),
    database,
    objects,
    location: 'PostgreSQL and S3',
    async *scan(plan, isForCopy) {
      const pages = scanTable(database, selectionOf(plan, 'distributed', isForCopy));
      for await (const page of pages) yield page.map(plan.distributed.read);
    },
    async lastNumber({ table, distributed: { identity } }) {
      if (table.lastNumber) return lastNumber(database, { ...table.lastNumber, isIdentity: false });
      if (identity === undefined) return undefined;
      return lastNumber(database, { table: table.distributed, column: identity, isIdentity: true });
    },
    keepsNumbers: () => true,
    streamStart: (stream) => findStart(database, stream),
    listMinutes: (stream, after, limit) => listMinutes(database, stream, after, limit),
    listArchives: () => listArchives(database),
    readImage: (hash) => findImage(database, objects, hash),
    fingerprint: () => fingerprintOf(database),
    findSealedKey: () => findSealedKey(database),
    async close() {
      for (const each of [domains, streams, accounts]) await each.close();
      await database.close();
    },
  };
}
