/**
 * Campaigns as part of watchlist.db: `domain_link`, what may link a domain on a watchlist to others, noted as changed by triggers;
 * `campaign_account`, where campaigns are to be found anew; `campaign`, `campaign_member` and `campaign_link`.
 */
import type { WorkerClient } from '../../../concurrency/worker-client.ts';
import type { WatchlistId } from '../../../model/detect/watchlist.ts';
import type { Actor } from '../../decision-store.ts';
import type {
  CampaignChange,
  CampaignQuery,
  CampaignStore,
  FoundCampaign,
  ReadDomain,
} from '../../detect/campaign-store.ts';
import { type Database, write } from '../database.ts';
import type { DetectCalls } from '../detect/detect-calls.ts';
import { CampaignReads } from './campaign-reads.ts';
import { CampaignWrites } from './campaign-writes.ts';
import { DomainLinks } from './domain-links.ts';

type Threads = Pick<WorkerClient<DetectCalls, 'write' | 'list' | 'count'>, 'on'>;

export function campaignStore(database: Database, threads: Threads): CampaignStore {
  const links = new DomainLinks(database);
  return {
    // Polled, and nearly always empty.
    listUnreadDomains: async (limit, readBeforeMs) => links.listUnread(limit, readBeforeMs),
    saveDomainLinks: threads.on('write', 'saveDomainLinks'),
    listChangedAccounts: async (limit) => links.listChangedAccounts(limit),
    noteFound: threads.on('write', 'noteFoundCampaigns'),
    listLinkedDomains: threads.on('count', 'listLinkedDomains'),
    listMemberships: threads.on('count', 'listMemberships'),
    applyFound: threads.on('write', 'applyFoundCampaign'),
    listCampaigns: threads.on('list', 'listCampaigns'),
    findCampaign: threads.on('list', 'findCampaign'),
    createCampaign: threads.on('write', 'createCampaign'),
    updateCampaign: threads.on('write', 'updateCampaign'),
    forgetCampaign: threads.on('write', 'forgetCampaign'),
    listMembers: threads.on('list', 'listCampaignMembers'),
    changeMembers: threads.on('write', 'changeCampaignMembers'),
    listMemberHistory: threads.on('list', 'listMemberHistory'),
  };
}

type MemberChange = { readonly add: readonly string[]; readonly remove: readonly string[] };

/** What worker threads do: all writes, and what may be long. */
export function campaignCalls(database: Database) {
  const reads = new CampaignReads(database);
  const writes = new CampaignWrites(database);
  const links = new DomainLinks(database);
  const inTransaction = <Result>(work: () => Result) => write(database, work);
  return {
    saveDomainLinks: (read: readonly ReadDomain[], nowMs: number) =>
      inTransaction(() => links.save(read, nowMs)),
    noteFoundCampaigns: (accountId: string, version: number) =>
      inTransaction(() => links.noteFound(accountId, version)),
    listLinkedDomains: async (
      accountId: string,
      page: { readonly after?: string | undefined; readonly limit: number },
    ) => links.listLinked(accountId, page),
    listMemberships: async (
      accountId: string,
      page: { readonly after?: string | undefined; readonly limit: number },
    ) => reads.listMemberships(accountId, page),
    applyFoundCampaign: (accountId: string, found: FoundCampaign, nowMs: number) =>
      inTransaction(() => writes.applyFound(accountId, found, nowMs)),
    listCampaigns: async (accountId: string, query: CampaignQuery) => reads.list(accountId, query),
    findCampaign: async (accountId: string, id: WatchlistId) => reads.find(accountId, id),
    createCampaign: (
      accountId: string,
      made: { readonly name: string; readonly domains: readonly string[] },
      by: Actor,
    ) => inTransaction(() => writes.create(accountId, made, by)),
    updateCampaign: (accountId: string, id: WatchlistId, change: CampaignChange) =>
      inTransaction(() => writes.update(accountId, id, change)),
    forgetCampaign: (accountId: string, id: WatchlistId) => inTransaction(() => writes.forget(accountId, id)),
    listCampaignMembers: async (
      accountId: string,
      id: WatchlistId,
      page: { readonly offset: number; readonly limit: number },
    ) => reads.listMembers(accountId, id, page),
    changeCampaignMembers: (accountId: string, id: WatchlistId, change: MemberChange, by: Actor) =>
      inTransaction(() => writes.changeMembers(accountId, id, change, by)),
    listMemberHistory: async (accountId: string, id: WatchlistId, limit: number) =>
      reads.listHistory(accountId, id, limit),
  };
}
