/** Campaigns in PostgreSQL. `domain_link` has all domains on watchlists, kept by triggers and by `detect/record-changes.ts`. */
import type { CampaignStore } from '../../detect/campaign-store.ts';
import { changeAccount } from '../detect/account-lock.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import { applyFound } from './apply-found.ts';
import { changeMembers, createCampaign, forgetCampaign, updateCampaign } from './campaign-changes.ts';
import { findCampaign, listCampaigns, listHistory, listMembers, listMemberships } from './campaign-reads.ts';
import { listChangedAccounts, listLinked, listUnread, saveLinks } from './domain-links.ts';

export function openCampaignStore(database: PostgresDatabase): CampaignStore {
  return {
    listUnreadDomains: (limit, readBeforeMs) => database.read((sql) => listUnread(sql, limit, readBeforeMs)),
    saveDomainLinks: (read, nowMs) => database.write((sql) => saveLinks(sql, read, nowMs)),
    listChangedAccounts: (limit) => database.read((sql) => listChangedAccounts(sql, limit)),
    async noteFound(accountId, version) {
      await database.writeRepeatable(
        (sql) =>
          sql`update campaign_account set found_version = greatest(found_version, ${version}) where account_id = ${accountId}`,
      );
    },
    listLinkedDomains: (accountId, page) => database.read((sql) => listLinked(sql, accountId, page)),
    listMemberships: (accountId, page) => database.read((sql) => listMemberships(sql, accountId, page)),
    applyFound: (accountId, found, nowMs) =>
      changeAccount(database, accountId, (sql) => applyFound(sql, accountId, found, nowMs)),
    listCampaigns: (accountId, query) => database.snapshot((sql) => listCampaigns(sql, accountId, query)),
    findCampaign: (accountId, id) => database.read((sql) => findCampaign(sql, accountId, id)),
    createCampaign: (accountId, made, by) =>
      changeAccount(database, accountId, (sql) => createCampaign(sql, accountId, made, by)),
    updateCampaign: (accountId, id, change) =>
      changeAccount(database, accountId, (sql) => updateCampaign(sql, accountId, id, change)),
    forgetCampaign: (accountId, id) =>
      changeAccount(database, accountId, (sql) => forgetCampaign(sql, accountId, id)),
    listMembers: (accountId, id, page) => database.read((sql) => listMembers(sql, accountId, id, page)),
    changeMembers: (accountId, id, change, by) =>
      changeAccount(database, accountId, (sql) => changeMembers(sql, { accountId, id }, change, by)),
    listMemberHistory: (accountId, id, limit) =>
      database.read((sql) => listHistory(sql, accountId, id, limit)),
  };
}
