/**
 * The stores of Detect on PostgreSQL. Whether a list shows a domain is computed on write and stored with the domain
 * (`detect/memberships.ts`), so lists are index scans. Every change locks the account first (`detect/account-lock.ts`). A change of more rows
 * than one transaction should touch is a sweep (`detect/sweeps.ts`).
 */
import { eventKinds } from '../../model/detect/watchlist.ts';
import type { DetectStores } from '../../stores.ts';
import { allEventKinds, anyEventOf, eventOf } from '../detect/rows/event-rows.ts';
import { monitorOf } from '../detect/rows/monitor-rows.ts';
import { subscriptionOf } from '../detect/rows/subscription-rows.ts';
import type { EscalationStore } from '../escalation-store.ts';
import type { EventStore } from '../event-store.ts';
import type { MonitorStore } from '../monitor-store.ts';
import type { WatchlistStore } from '../watchlist-store.ts';
import { openBlocklistStore } from './blocklist/blocklist-store.ts';
import { openCampaignStore } from './campaign/campaign-store.ts';
import { AbandonedSweeps } from './detect/abandoned-sweeps.ts';
import { changeAccount, withNewIds } from './detect/account-lock.ts';
import { blocklistNumbers, listBlockedNames, renewBlocklistEdition } from './detect/blocked-names.ts';
import { listBlocklistFetches, recordBlocklistFetch } from './detect/blocklist-fetches.ts';
import { escalate, findEscalatable, triage } from './detect/decisions.ts';
import { listDeliveries, logDelivery } from './detect/deliveries.ts';
import { addDiscoveries } from './detect/discoveries.ts';
import { listDomains } from './detect/domain-list.ts';
import { leaseSubmissions, listEscalations, recordSubmissionOutcome } from './detect/escalations.ts';
import { countEventRows, lastEventId, listEventRows, pruneEvents } from './detect/event-log.ts';
import { countDecided, findDomainNamed, findListedDomains, listWatchedNames } from './detect/listed-names.ts';
import { listMonitors } from './detect/monitor-list.ts';
import * as monitors from './detect/monitors.ts';
import { changeOwnDomains, listAllOwnDomains, listOwnDomains } from './detect/own-domains.ts';
import { applyRecordChanges, moveCheckpoint, recordChangesCheckpoint } from './detect/record-changes.ts';
import * as subscriptions from './detect/subscriptions.ts';
import { applySettings, removeMonitor, removeOwnDomains } from './detect/sweeps.ts';
import { pruneUnmatchedDomains } from './detect/unmatched-domains.ts';
import { openOpsecStore } from './opsec/opsec-store.ts';
import type { PostgresDatabase } from './postgres/database.ts';
import { openSharingStore } from './sharing/sharing-store.ts';
import { openSightingStore } from './sighting/sighting-store.ts';
import { openSuggestionStore } from './suggestion/suggestion-store.ts';
import { openDecisionStore } from './triage/decision-store.ts';
import { openTriageStore } from './triage/triage-store.ts';

export function openDetectStores(database: PostgresDatabase): DetectStores {
  return {
    monitors: monitorStore(database),
    watchlist: watchlistStore(database),
    escalations: escalationStore(database),
    blocklists: openBlocklistStore(database),
    sharing: openSharingStore(database),
    sightings: openSightingStore(database),
    opsec: openOpsecStore(database),
    suggestions: openSuggestionStore(database),
    campaigns: openCampaignStore(database),
    decisions: openDecisionStore(database),
    triage: openTriageStore(database),
    events: eventStore(database),
  };
}

function monitorStore(database: PostgresDatabase): MonitorStore {
  return {
    createMonitor: (accountId, settings, by) =>
      changeAccount(database, accountId, (sql) => monitors.createMonitor(sql, accountId, settings, by)),
    async updateMonitor(accountId, id, change, atMs) {
      const updated = await changeAccount(database, accountId, async (sql) => {
        const row = await monitors.findMonitorRow(sql, accountId, id);
        return row && { number: row.number, ...(await monitors.updateMonitor(sql, row, change, atMs)) };
      });
      if (updated && !updated.isApplied) await applySettings(database, { accountId, number: updated.number });
      return updated?.monitor;
    },
    async deleteMonitor(accountId, id, options = {}) {
      const number = await changeAccount(database, accountId, (sql) =>
        monitors.deleteMonitor(sql, accountId, id, options),
      );
      return number === undefined ? undefined : removeMonitor(database, { accountId, number });
    },
    countMatches: (accountId, id) => database.read((sql) => monitors.countMatches(sql, accountId, id)),
    async findMonitor(accountId, id) {
      const row = await database.read((sql) => monitors.findMonitorRow(sql, accountId, id));
      return row && monitorOf(row);
    },
    listMonitors: (accountId, query, paging) => listMonitors(database, accountId, query, paging),
    monitorsVersion: () => database.read(monitors.monitorsVersion),
    listActiveMonitors: () =>
      database.snapshot(async (sql) => ({
        version: await monitors.monitorsVersion(sql),
        monitors: await monitors.listActiveMonitors(sql),
      })),
    recordSearchProgress: (accountId, id, progress) =>
      changeAccount(database, accountId, (sql) =>
        monitors.recordSearchProgress(sql, accountId, id, progress),
      ),
    listOwnDomains: (accountId) => database.read((sql) => listOwnDomains(sql, accountId)),
    async changeOwnDomains(accountId, change) {
      await changeAccount(database, accountId, (sql) => changeOwnDomains(sql, accountId, change));
      await removeOwnDomains(database, accountId);
      return database.read((sql) => listOwnDomains(sql, accountId));
    },
    listAllOwnDomains: () => database.read(listAllOwnDomains),
  };
}

function watchlistStore(database: PostgresDatabase): WatchlistStore {
  const sweeps = new AbandonedSweeps(database);
  return {
    async addDiscoveries(discoveries) {
      const added = await withNewIds(() => database.write((sql) => addDiscoveries(sql, discoveries)));
      return added.map(({ accountId, domain }) => ({ accountId, domain }));
    },
    applyRecordChanges: (changes, checkpoint, nowMs) =>
      database.write(async (sql) => {
        if (!(await moveCheckpoint(sql, checkpoint))) return false;
        await applyRecordChanges(sql, changes, nowMs);
        return true;
      }),
    recordChangesCheckpoint: () => database.read(recordChangesCheckpoint),
    findListedDomains: (domains) => database.read((sql) => findListedDomains(sql, domains)),
    findDomainNamed: (accountId, domain) => database.read((sql) => findDomainNamed(sql, accountId, domain)),
    countDecided: (accountId, domains) => database.read((sql) => countDecided(sql, accountId, domains)),
    listWatchedNames: (after, limit) => database.read((sql) => listWatchedNames(sql, after, limit)),
    listDomains: (accountId, query, paging) => listDomains(database, accountId, query, paging),
    async pruneUnmatchedDomains(nowMs) {
      await sweeps.finish();
      await pruneUnmatchedDomains(database, nowMs);
    },
    triageDomains: (accountId, ids, state, by) =>
      changeAccount(database, accountId, (sql) => triage(sql, accountId, { ids, state }, by)),
  };
}

function escalationStore(database: PostgresDatabase): EscalationStore {
  return {
    escalateDomains: (accountId, ids, type, by) =>
      changeAccount(database, accountId, (sql) => escalate(sql, accountId, { ids, type }, by)),
    async findEscalationObstacle(accountId, ids, type) {
      const found = await database.read((sql) => findEscalatable(sql, accountId, ids, type));
      return 'outcome' in found ? found : undefined;
    },
    listEscalations: (accountId, page) => database.read((sql) => listEscalations(sql, accountId, page)),
    listBlockedDomains: (accountId, after, limit) =>
      database.read((sql) => listBlockedNames(sql, accountId, after, limit)),
    blocklistVersion: async (accountId) =>
      (await database.read((sql) => blocklistNumbers(sql, accountId))).version,
    blocklistEdition: async (accountId) =>
      (await database.read((sql) => blocklistNumbers(sql, accountId))).edition,
    renewBlocklistEdition: (accountId) =>
      changeAccount(database, accountId, (sql) => renewBlocklistEdition(sql, accountId)),
    recordBlocklistFetch: (accountId, fetch) =>
      database.writeRepeatable((sql) => recordBlocklistFetch(sql, accountId, fetch)),
    listBlocklistFetches: (accountId) => database.read((sql) => listBlocklistFetches(sql, accountId)),
    leaseSubmissions: (limit, nowMs, untilMs) => leaseSubmissions(database, limit, nowMs, untilMs),
    recordSubmissionOutcome: (id, outcome) =>
      database.read((sql) => recordSubmissionOutcome(sql, id, outcome)),
  };
}

function eventStore(database: PostgresDatabase): EventStore {
  return {
    // Notified by a trigger.
    growth: database.signals('events'),
    listEvents: async (accountId, page) =>
      (await database.read((sql) => listEventRows(sql, accountId, page, page.kinds ?? eventKinds))).map(
        eventOf,
      ),
    listAllEvents: async (accountId, page) =>
      (await database.read((sql) => listEventRows(sql, accountId, page, allEventKinds))).map(anyEventOf),
    lastEventId: (accountId) => database.read((sql) => lastEventId(sql, accountId)),
    countEvents: (accountId, page) =>
      database.read((sql) => countEventRows(sql, accountId, page, page.kinds ?? eventKinds)),
    pruneEvents: (beforeMs) => pruneEvents(database, beforeMs),
    createSubscription: (accountId, subscription) =>
      changeAccount(database, accountId, (sql) =>
        subscriptions.createSubscription(sql, accountId, subscription),
      ),
    deleteSubscription: (accountId, id) =>
      changeAccount(database, accountId, async (sql) => {
        const { count } = await sql`delete from subscription where id = ${id} and account_id = ${accountId}`;
        return count > 0;
      }),
    listSubscriptions: (accountId) => database.read((sql) => subscriptions.listSubscriptions(sql, accountId)),
    async findSubscription(accountId, id) {
      const row = await database.read((sql) => subscriptions.findSubscriptionRow(sql, accountId, id));
      return row && subscriptionOf(row);
    },
    updateSubscription: (accountId, id, change, by) =>
      changeAccount(database, accountId, (sql) =>
        subscriptions.updateSubscription(sql, accountId, { id, change }, by),
      ),
    leaseSubscriptions: (limit, nowMs, untilMs) =>
      subscriptions.leaseSubscriptions(database, limit, { nowMs, untilMs }),
    recordDeliveryOutcome: (id, outcome) =>
      database.write(async (sql) => {
        const number = await subscriptions.endLease(sql, id, outcome);
        // Deleted meanwhile, it has no log.
        if (number !== undefined && outcome.attempt) await logDelivery(sql, number, outcome.attempt);
      }),
    recordDelivery: (accountId, id, attempt) =>
      database.write(async (sql) => {
        const row = await subscriptions.findSubscriptionRow(sql, accountId, id);
        return row && logDelivery(sql, row.number, attempt);
      }),
    listDeliveries: (accountId, id) => database.read((sql) => listDeliveries(sql, accountId, id)),
  };
}
