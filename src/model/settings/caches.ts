/** Settings of caches: stored data that processes keep in memory for speed. The operating system caches files besides. */
import { Type } from 'typebox';
import { whole } from './kinds.ts';

const mebibyte = 2 ** 20;
const size = (mebibytes: number, description: string) =>
  whole(mebibytes * mebibyte, `${description}, in bytes`, mebibyte, 2 ** 40);

export const Caches = Type.Object({
  rrsetBytes: size(64, 'blocks of passive DNS that a process keeps for lookups'),
  rrsetSearchBytes: size(16, 'blocks of passive DNS that the thread of flexible search keeps'),
  domainBytes: size(
    256,
    'pages of domain records that a process keeps for reads by name; they are used once the file exceeds the 2 GB that are memory-mapped',
  ),
  domainThreadBytes: size(64, 'the same for each thread that searches or writes records'),
  watchlistBytes: size(
    32,
    'pages of the watchlist that a process, and each thread of it that uses the watchlist, keeps',
  ),
  recordBytes: size(
    32,
    'records and answers of Enrich that a process keeps ready to be sent, and as much for Investigate',
  ),
  riskBytes: size(32, 'pages of reputation data that the thread that writes them keeps'),
  streamBytes: size(
    48,
    'parts of channels and feeds that a process keeps while they are downloaded, for several downloads at once; up to 6 MiB for each',
  ),
});
