/** A data directory, as the source of a copy or to verify one. */
import { join } from 'node:path';
import type { Clock } from '../model/clock.ts';
import { DamagedData } from '../store/damage.ts';
import { openAccountStore } from '../store/embedded/account-store.ts';
import { listNames } from '../store/embedded/archive/optional-files.ts';
import { openArchiveStore } from '../store/embedded/archive-store.ts';
import { findStart, listMinutes } from '../store/embedded/copy/copied-streams.ts';
import { isCounted, TableReader } from '../store/embedded/copy/read-tables.ts';
import { findSealedKey, fingerprintOf } from '../store/embedded/copy/whole-stores.ts';
import { openDomainStore } from '../store/embedded/domain-store.ts';
import { ImageFiles } from '../store/embedded/image/image-files.ts';
import { openStreamStore } from '../store/embedded/stream-store.ts';
import { keyVault } from '../store/key-vault.ts';
import type { OpenStores, ReaderSide } from './reader-side.ts';
import { selectionOf } from './table-plan.ts';

export interface EmbeddedOptions {
  readonly data: string;
  readonly secret: Buffer;
  readonly clock: Clock;
}

/** The stores of a data directory that a copy uses as stores. */
export function openEmbeddedParts({
  data,
  secret,
  clock,
}: EmbeddedOptions): OpenStores & { close(): Promise<void> } {
  const stores = {
    accounts: openAccountStore(data, keyVault(secret)),
    streams: openStreamStore(data),
    archives: openArchiveStore(data),
    domains: openDomainStore(data, clock),
  };
  return {
    ...stores,
    async close() {
      for (const store of [stores.domains, stores.streams, stores.accounts]) await store.close();
    },
  };
}

/** One moment of the tables; lines, files and images of that moment never change. */
export async function openEmbeddedSide(
  options: EmbeddedOptions,
): Promise<ReaderSide & { tables: TableReader }> {
  const { data } = options;
  const stores = openEmbeddedParts(options);
  const tables = await TableReader.open(data).catch(async (error: unknown) => {
    await stores.close();
    throw error;
  });
  const images = new ImageFiles(join(data, 'images'));
  return {
    ...stores,
    tables,
    location: data,
    scan: (plan, isForCopy) => tables.scan(plan.table.database, selectionOf(plan, 'embedded', isForCopy)),
    async lastNumber({ table, distributed: { identity }, pairs }) {
      const column = pairs.find(({ distributed }) => distributed.name === identity)?.embedded ?? table.key[0];
      if (!identity && !table.lastNumber) return undefined;
      return tables.lastNumber(table.database, table.embedded, column as string);
    },
    keepsNumbers: ({ table }) => isCounted(tables.of(table.database), table.embedded),
    streamStart: async (stream) => findStart(tables.of('streams'), stream),
    listMinutes: async (stream, after, limit) => listMinutes(tables.of('streams'), stream, after, limit),
    listArchives: () => listNames(join(data, 'archives')),
    async readImage(hash) {
      const bytes = await images.find(hash);
      if (!bytes) throw new DamagedData(images.missing(hash));
      return bytes;
    },
    fingerprint: async () => fingerprintOf(tables),
    findSealedKey: async () => findSealedKey(tables),
    async close() {
      tables.close();
      await stores.close();
    },
  };
}
