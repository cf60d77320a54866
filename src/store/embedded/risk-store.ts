/**
 * risks.db: what lists say of domains, one row for each list that names one; which domains this has changed for; and the links that
 * known bad domains have, with a count for each. Rows are changed in a thread (`risk/risk-work.ts`), because lists have millions, and
 * read here, a few milliseconds at a time.
 */
import { join } from 'node:path';
import type { ListedDomain, RiskStore } from '../risk-store.ts';
import { openDatabase, snapshots } from './database.ts';
import { inSlices } from './domain/in-slices.ts';
import { badReads } from './risk/bad-reads.ts';
import { linkKey, linkOf } from './risk/link-key.ts';
import type { RiskWork } from './risk/risk-work.ts';
import { verdictReads } from './risk/verdict-reads.ts';
import { ThreadJobs } from './thread-jobs.ts';

/** More are taken one after the other. */
const takenAtOnce = 50_000;

/** A millisecond's work or two. */
const countedAtOnce = 500;

export function openRiskStore(data: string): RiskStore {
  const path = join(data, 'risks.db');
  const database = openDatabase(path, 'risks', 'full');
  const threads = new ThreadJobs<RiskWork, 'write'>({
    file: new URL('./risk/risk-thread.ts', import.meta.url),
    workerData: { path },
    store: 'the store of risks',
    finish: ['write'],
  });
  const snapshot = snapshots(database);
  const verdicts = verdictReads(database);
  const bad = badReads(database);
  const place = database.prepare('select place from reader where name = ?').pluck();
  const counts = database.prepare(
    `select (select ifnull(sum(domains), 0) from reading) as verdicts,
       bad_domains as badDomains, bad_links as badLinks from total`,
  );

  return {
    async takeListed(reading, domains) {
      for (let from = 0; from < domains.length; from += takenAtOnce)
        await threads.run('write', 'takeListed', reading, linesOf(domains.slice(from, from + takenAtOnce)));
    },
    endReading: threads.on('write', 'endReading'),
    keepLists: threads.on('write', 'keepLists'),
    removeExpired: threads.on('write', 'removeExpired'),
    listLists: async () => verdicts.lists(),
    findVerdicts: (domains, nowMs) => inSlices(domains, (domain) => verdicts.find(domain, nowMs), snapshot),
    listVerdictChanges: async (afterId, limit) => verdicts.changes(afterId, limit),
    pruneVerdictChanges: threads.on('write', 'pruneVerdictChanges'),
    findBadLinks: (domains) => inSlices(domains, (domain) => bad.linksOf(domain), snapshot),
    async putBadLinks(domains) {
      const keyed = domains.map(({ domain, weight, links }) => ({
        domain,
        weight,
        keys: links.map(linkKey),
      }));
      return (await threads.run('write', 'putBadLinks', keyed)).map(linkOf);
    },
    async countBad(asked) {
      const parts = Array.from({ length: Math.ceil(asked.length / countedAtOnce) }, (_, part) =>
        asked.slice(part * countedAtOnce, (part + 1) * countedAtOnce),
      );
      return (await inSlices(parts, (part) => bad.count(part), snapshot)).flat();
    },
    listBad: async (link, except, limit) => bad.list(link, except, limit),
    findPlace: async (reader) => (place.get(reader) as number | undefined) ?? 0,
    setPlace: threads.on('write', 'setPlace'),
    statistics: async () => counts.get() as { verdicts: number; badDomains: number; badLinks: number },
    async close() {
      await threads.close();
      database.close();
    },
  };
}

/** One text goes to a thread many times faster than as many objects. */
function linesOf(domains: readonly ListedDomain[]): string {
  return domains.map(({ domain, rank }) => (rank === undefined ? domain : `${domain} ${rank}`)).join('\n');
}
