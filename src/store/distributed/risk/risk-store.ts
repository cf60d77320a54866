/** Verdicts of reputation lists, the log of their changes, and the links of known bad domains. */
import { logStart } from '../../paging/log-position.ts';
import type { RiskStore } from '../../risk-store.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import { replaceBadLinks } from './bad-link-writes.ts';
import { countBadDomains, findBadLinks, listBadDomains } from './bad-reads.ts';
import { listVerdictChanges, pruneVerdictChanges } from './verdict-log.ts';
import { findVerdicts, listLists } from './verdict-reads.ts';
import { VerdictRemovals } from './verdict-removals.ts';
import { addListed } from './verdict-writes.ts';

export function openRiskStore(database: PostgresDatabase): RiskStore {
  const removals = new VerdictRemovals(database);
  const setCheckpoints = async (checkpoints: Readonly<Record<string, string>>) => {
    await database.read(
      (sql) => sql`
        insert into risk_checkpoint (consumer, checkpoint)
        select * from unnest(${Object.keys(checkpoints)}::text[], ${Object.values(checkpoints)}::text[]) order by 1
        on conflict (consumer) do update set checkpoint = excluded.checkpoint`,
    );
  };
  return {
    addListed: (snapshot, domains) => addListed(database, snapshot, domains),
    completeSnapshot: (snapshot, checkpoint, nowMs) => removals.completeSnapshot(snapshot, checkpoint, nowMs),
    removeListsExcept: (lists) => removals.removeListsExcept(lists),
    removeExpired: (nowMs, limit) => removals.removeExpired(nowMs, limit),
    listLists: () => listLists(database),
    findVerdicts: (domains, nowMs) => findVerdicts(database, domains, nowMs),
    listVerdictChanges: (after, limit) => listVerdictChanges(database, after, limit),
    pruneVerdictChanges: (upto) => pruneVerdictChanges(database, upto),
    findBadLinks: (domains) => findBadLinks(database, domains),
    replaceBadLinks: (domains) => replaceBadLinks(database, domains),
    countBadDomains: (asked) => countBadDomains(database, asked),
    listBadDomains: (link, except, limit) => listBadDomains(database, link, except, limit),
    async findCheckpoint(consumer) {
      const [row] = await database.read(
        (sql) => sql<{ checkpoint: string }[]>`
          select checkpoint from risk_checkpoint where consumer = ${consumer}`,
      );
      return row?.checkpoint ?? logStart;
    },
    setCheckpoint: (consumer, checkpoint) => setCheckpoints({ [consumer]: checkpoint }),
    setCheckpoints,
    async statistics() {
      const [counts] = await database.read(
        (sql) => sql<{ verdicts: number; badDomains: number; badLinks: number }[]>`
          select (select coalesce(sum(domains), 0)::bigint from reputation_snapshot) as verdicts,
            bad_domains as "badDomains", bad_links as "badLinks" from risk_total`,
      );
      const { verdicts, badDomains, badLinks } = counts ?? { verdicts: 0, badDomains: 0, badLinks: 0 };
      return { verdicts, badDomains, badLinks };
    },
    close: async () => undefined,
  };
}
