/**
 * Opens all stores of the distributed adapter: everything is in PostgreSQL and the object store. Passive DNS is there or in ClickHouse, or else in files
 * of the node, which the caller opens.
 */
import { join } from 'node:path';
import type { Clock } from '../../model/clock.ts';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { Stores } from '../../stores.ts';
import { keyVault, linkKey } from '../key-vault.ts';
import type { RrsetStore } from '../rrset-store.ts';
import { openAccountStore } from './account/account-store.ts';
import { openArchiveStore } from './archive/archive-store.ts';
import { refuseUnfinishedCopy } from './copy/copy-state.ts';
import { openInvestigationStore } from './desk/investigation-store.ts';
import { openDetectStores } from './detect-stores.ts';
import { databasesOf } from './distributed-engines.ts';
import { openDomainStore } from './domain/domain-store.ts';
import { openCaseStore } from './evidence/case-store.ts';
import { openRawAnswerStore } from './evidence/raw-answer-store.ts';
import { openHealthStore } from './health/health-store.ts';
import { openImageStore } from './image/image-store.ts';
import { openJobStore } from './job/job-store.ts';
import { openLeaseStore } from './lease/lease-store.ts';
import { openNameStore } from './name/name-store.ts';
import { openPersonStores } from './person/open-person-stores.ts';
import { PostgresDatabase } from './postgres/database.ts';
import { schemaFault } from './postgres/schema-fault.ts';
import { openRiskStore } from './risk/risk-store.ts';
import { type Objects, openObjects } from './s3/open-objects.ts';
import { storeFaults } from './store-faults.ts';
import { openStreamStore } from './stream/stream-store.ts';
import { findUnusedPassiveDns } from './unused-passive-dns.ts';
import { openUsageStore } from './usage/usage-store.ts';

export interface DistributedStoresOptions {
  readonly settings: Pick<Settings, 'store' | 'secret' | 'data'> & {
    readonly caches: Pick<Settings['caches'], 'rrsetBytes' | 'rrsetSearchBytes'>;
  };
  readonly clock: Clock;
  /** What is in files of this node, and is closed with the other stores. It has passive DNS where `isNodes` says so. */
  readonly local: Pick<Stores, 'freeSpace'> & {
    readonly rrsets: Stores['rrsets'] | undefined;
    close(): Promise<void>;
  };
  readonly onFault?: ((fault: string) => void) | undefined;
  /** For what an operator wants to know at the start of a server, though everything works. */
  readonly onWarning?: ((warning: string) => void) | undefined;
}

/** Throws if the tables are not those of this version. */
export async function openDistributedStores(options: DistributedStoresOptions): Promise<Stores> {
  const { settings, local, clock } = options;
  const { store, secret } = settings;
  const serverSecret = serverSecretOf(secret);
  const [main, ...shards] = databasesOf(store);
  if (!main || store.s3.endpoint === '')
    throw new Problem(
      'invalid-parameters',
      'store.s3.endpoint is empty: with store.kind distributed it is the URL of an object store',
    );
  const database = new PostgresDatabase(main);
  const usageDatabase = new PostgresDatabase({ ...main, durable: store.usageDurable });
  const recordShards = shards.map((shard) => new PostgresDatabase(shard));
  const migrated = [database, ...recordShards];
  const closeDatabases = async () => {
    for (const each of [usageDatabase, ...migrated]) await each.close();
  };
  try {
    for (const each of migrated) await requireMigrated(each);
    await refuseUnfinishedCopy(database);
    if (options.onWarning) (await findUnusedPassiveDns(database, settings)).forEach(options.onWarning);
  } catch (error) {
    await closeDatabases();
    await local.close();
    throw error;
  }
  const vault = keyVault(serverSecret);
  const objects = openObjects(database, store.s3);
  const streams = openStreamStore(database, objects);
  const { rrsets, maintainRrsets, askPassiveDns } = await openRrsets(options, database, objects);
  const { accountCacheMs } = store;
  const stores = {
    accounts: openAccountStore(database, vault, { accountCacheMs }),
    ...openPersonStores(database, vault),
    usage: openUsageStore(usageDatabase),
    streams,
    archives: openArchiveStore(database, objects),
    domains: openDomainStore(database, clock, recordShards),
    ...openDetectStores(database),
    jobs: openJobStore(database, clock),
    leases: openLeaseStore(database),
    names: openNameStore(database),
    risks: openRiskStore(database),
    images: openImageStore(database, objects),
    rawAnswers: openRawAnswerStore(database),
    cases: openCaseStore(database),
    investigations: openInvestigationStore(database),
    health: openHealthStore(database),
  };
  return {
    ...stores,
    rrsets,
    freeSpace: local.freeSpace,
    linkKey: linkKey(serverSecret),
    findFaults: storeFaults({
      database,
      shards: recordShards,
      objects,
      clock,
      unsealedBytesMax: store.unsealedBytesMax,
      askPassiveDns,
    }),
    findUnsealedBytes: () => streams.findUnsealedBytes(),
    async maintain(nowMs, signal) {
      // One that fails, as while the object store is away, keeps no other from its work.
      const outcomes = await Promise.allSettled([
        streams.sealSegments(nowMs, signal),
        objects.stored.sweep(),
        maintainRrsets(),
        ...migrated.map((each) => each.pruneWriteIds()),
      ]);
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    },
    async close() {
      const { investigations, images, risks, names, leases, jobs, domains, usage } = stores;
      const { signOn, sessions, people, accounts } = stores;
      for (const each of [investigations, images, risks, names, leases, jobs, domains, streams, usage])
        await each.close();
      for (const each of [signOn, sessions, people, accounts]) await each.close();
      if (rrsets !== local.rrsets) await rrsets.close();
      await local.close();
      await closeDatabases();
    },
  };
}

/** Whether passive DNS is in files of a node, this one or another. */
export function isNodes({ passiveDns }: Settings['store']): boolean {
  return passiveDns === 'node' || passiveDns === 'other-node';
}

interface OpenedRrsets {
  readonly rrsets: RrsetStore;
  readonly maintainRrsets: () => Promise<void>;
  /** Where it has servers of its own. */
  readonly askPassiveDns?: () => Promise<string | undefined>;
}

async function openRrsets(
  { settings, clock, local, onFault }: DistributedStoresOptions,
  database: PostgresDatabase,
  objects: Objects,
): Promise<OpenedRrsets> {
  const { store, caches, data } = settings;
  const withoutMaintenance = (rrsets: RrsetStore) => ({ rrsets, maintainRrsets: async () => undefined });
  if (local.rrsets) return withoutMaintenance(local.rrsets);
  if (store.passiveDns === 'clickhouse') {
    const { openClickHouseRrsets } = await import('./rrset/open-clickhouse-rrsets.ts');
    const rrsets = await openClickHouseRrsets({ database, settings: store.clickhouse });
    return { rrsets, maintainRrsets: () => rrsets.maintain(), askPassiveDns: () => rrsets.ask() };
  }
  const { openSegmentRrsets } = await import('./segment-rrsets/segment-rrset-store.ts');
  return withoutMaintenance(
    openSegmentRrsets({
      database,
      objects,
      clock,
      cacheDirectory: store.cacheDirectory || join(data, 'cache'),
      cacheBytesMax: store.cacheBytesMax,
      blockBytes: caches.rrsetBytes,
      searchBlockBytes: caches.rrsetSearchBytes,
      ...(onFault && { onFault }),
    }),
  );
}

/** All nodes must have the same. */
function serverSecretOf(secret: string): Buffer {
  if (secret === '')
    throw new Problem(
      'invalid-parameters',
      'secret is empty: with store.kind distributed all nodes have the same, 64 hexadecimal digits (openssl rand -hex 32)',
    );
  return Buffer.from(secret, 'hex');
}

async function requireMigrated(database: PostgresDatabase): Promise<void> {
  const fault = await schemaFault(database);
  if (fault !== undefined) throw new Problem('unavailable', fault);
}
