/** What a copy asks about the stores as a whole. */
import { hash } from 'node:crypto';
import type { TableReader } from './read-tables.ts';

/** Identifies a state of the stores: what ran for a moment leaves another one. */
export function fingerprintOf(reader: TableReader): string {
  const values = [
    reader.of('domains').prepare('select hex(bytes) from salt').pluck().get(),
    reader.of('domains').prepare('select max(id) from update_log').pluck().get(),
    reader.of('accounts').prepare('select max(number) from audit').pluck().get(),
    reader.of('jobs').prepare('select max(seen_ms) from clock').pluck().get(),
    reader.of('streams').prepare('select sum(start_byte + bytes) from segment').pluck().get(),
    reader.of('watchlist').prepare('select max(number) from event').pluck().get(),
    reader.of('usage').prepare('select sum(used) from daily_use').pluck().get(),
  ];
  return hash('sha256', JSON.stringify(values));
}

/** A user with the sealed key, if there is any. */
export function findSealedKey(reader: TableReader): { username: string; sealed: Buffer } | undefined {
  return reader.of('accounts').prepare('select username, key_sealed as sealed from user limit 1').get() as
    | { username: string; sealed: Buffer }
    | undefined;
}
