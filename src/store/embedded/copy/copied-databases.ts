/** The databases of a data directory whose tables are copied to other stores. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { usualCacheSizes } from '../cache-sizes.ts';
import { type Database, openDatabase } from '../database.ts';
import { openDomains } from '../domain/open-domains.ts';

/** Within the data directory. */
export const copiedDatabases = {
  accounts: 'accounts.db',
  desk: 'desk.db',
  watchlist: 'watchlist.db',
  names: 'names.db',
  risks: 'risks.db',
  jobs: 'jobs.db',
  domains: 'domains/domains.db',
  streams: 'streams/streams.db',
  images: 'images.db',
  usage: 'usage.db',
} as const;

/** Open ranges of streams, passive DNS, and pages of results that somebody reads. */
export const databasesLeftOut = ['leases', 'rrsets', 'walks'];

export type CopiedDatabase = keyof typeof copiedDatabases;

export const databaseNames = Object.keys(copiedDatabases) as CopiedDatabase[];

export function pathOf(data: string, name: CopiedDatabase): string {
  return join(data, copiedDatabases[name]);
}

/** Makes it where there is none. Rows may come before those that they refer to. */
export function openForCopy(data: string, name: CopiedDatabase): Database {
  const path = pathOf(data, name);
  const database =
    name === 'domains' ? openDomains(path, usualCacheSizes.domainBytes) : openDatabase(path, name, 'full');
  database.pragma('foreign_keys = OFF');
  return database;
}

/** With everything that belongs to it. */
export function removeDatabase(data: string, name: CopiedDatabase): void {
  for (const ending of ['', '-wal', '-shm', '-crc', '-journal'])
    rmSync(`${pathOf(data, name)}${ending}`, { force: true });
}
