/**
 * Risk data on one machine, `risks.db`: verdicts of reputation lists (`listed`, one row for each list and domain, and `reading`, the
 * snapshots of lists), the log of changed verdicts, and the links of known bad domains, each with its count. Writes run in a worker
 * thread (`risk/risk-calls.ts`), because lists have millions of domains; reads run on the event loop in time slices.
 */
import { join } from 'node:path';
import { mapInSlices } from '../../concurrency/map-in-slices.ts';
import { burstIdleMs, WorkerClient } from '../../concurrency/worker-client.ts';
import { logStart } from '../paging/log-position.ts';
import { linkKey, linkOf } from '../risk/link-key.ts';
import type { ListedDomain, RiskStore } from '../risk-store.ts';
import { type CacheSizes, usualCacheSizes } from './cache-sizes.ts';
import { openDatabase, readTransactions } from './database.ts';
import { badReads } from './risk/bad-reads.ts';
import type { RiskCalls } from './risk/risk-calls.ts';
import { verdictReads } from './risk/verdict-reads.ts';

/** Domains per call of the thread. */
const addBatchSize = 50_000;

/** Links per statement, which takes a millisecond or two. */
const countBatchSize = 500;

export function openRiskStore(
  data: string,
  { riskBytes: cacheBytes }: Pick<CacheSizes, 'riskBytes'> = usualCacheSizes,
): RiskStore {
  const path = join(data, 'risks.db');
  const database = openDatabase(path, 'risks', 'full');
  const threads = new WorkerClient<RiskCalls, 'write'>({
    file: new URL('./risk/risk-worker.ts', import.meta.url),
    workerData: { path, cacheBytes },
    owner: 'the risk store',
    finish: ['write'],
    idleMs: burstIdleMs,
  });
  const readTransaction = readTransactions(database);
  const verdicts = verdictReads(database);
  const bad = badReads(database);
  const checkpoint = database.prepare('select place from reader where name = ?').pluck();
  const counts = database.prepare(
    `select (select ifnull(sum(domains), 0) from reading) as verdicts,
       bad_domains as badDomains, bad_links as badLinks from total`,
  );

  return {
    async addListed(snapshot, domains) {
      for (let from = 0; from < domains.length; from += addBatchSize)
        await threads.run('write', 'addListed', snapshot, linesOf(domains.slice(from, from + addBatchSize)));
    },
    completeSnapshot: threads.on('write', 'completeSnapshot'),
    // Both are called again and again, and mostly there is nothing to remove: the thread, which takes some megabytes, may end.
    async removeListsExcept(names) {
      if (verdicts.hasListsExcept(names)) await threads.run('write', 'removeListsExcept', names);
    },
    removeExpired: async (nowMs, limit) =>
      verdicts.hasExpired(nowMs) ? threads.run('write', 'removeExpired', nowMs, limit) : 0,
    listLists: async () => verdicts.lists(),
    findVerdicts: (domains, nowMs) =>
      mapInSlices(domains, (domain) => verdicts.find(domain, nowMs), readTransaction),
    listVerdictChanges: async (after, limit) => verdicts.changes(Number(after), limit),
    pruneVerdictChanges: (upto) => threads.run('write', 'pruneVerdictChanges', Number(upto)),
    findBadLinks: (domains) => mapInSlices(domains, (domain) => bad.linksOf(domain), readTransaction),
    async replaceBadLinks(domains) {
      const keyed = domains.map(({ domain, weight, links }) => ({
        domain,
        weight,
        keys: links.map(linkKey),
      }));
      return (await threads.run('write', 'replaceBadLinks', keyed)).map(linkOf);
    },
    async countBadDomains(queries) {
      const batches = Array.from({ length: Math.ceil(queries.length / countBatchSize) }, (_, batch) =>
        queries.slice(batch * countBatchSize, (batch + 1) * countBatchSize),
      );
      return (await mapInSlices(batches, (batch) => bad.count(batch), readTransaction)).flat();
    },
    listBadDomains: async (link, except, limit) => bad.list(link, except, limit),
    findCheckpoint: async (consumer) => String(checkpoint.get(consumer) ?? logStart),
    setCheckpoint: (consumer, to) => threads.run('write', 'setCheckpoints', { [consumer]: to }),
    setCheckpoints: threads.on('write', 'setCheckpoints'),
    statistics: async () => counts.get() as { verdicts: number; badDomains: number; badLinks: number },
    async close() {
      await threads.close();
      database.close();
    },
  };
}

/** Sending one string to a thread is many times faster than sending an array of objects. */
function linesOf(domains: readonly ListedDomain[]): string {
  return domains.map(({ domain, rank }) => (rank === undefined ? domain : `${domain} ${rank}`)).join('\n');
}
