/**
 * The stores of Detect, all in watchlist.db. Tables: `monitor`, `own_domain`; `domain`, one row per account and domain, and
 * `monitor_match`, why it was found; `escalation`, `blocklist`, `blocklist_fetched`; `event`, `subscription`, `delivery`;
 * `decision` and `decided_domain`, the log of decisions; `note`; `list_visit`; `list_snapshot`; `counter`; and those of
 * `blocklist/blocklist-store.ts`, `sharing/sharing-store.ts`, `sighting/sighting-store.ts`, `opsec/opsec-store.ts`
 * and `campaign/campaign-store.ts`.
 *
 * Whether a list shows a domain is computed on write and stored with the domain (`detect/list-membership.ts`), so lists are index scans.
 * Writes and long lists run in worker threads (`detect/detect-calls.ts`), reads by key run here. A change of more rows than one
 * transaction should touch is a sweep (`detect/sweeps.ts`).
 */
import { join } from 'node:path';
import { yieldToEventLoop } from '../../concurrency/event-loop-slices.ts';
import { mapInSlices } from '../../concurrency/map-in-slices.ts';
import { WorkerClient } from '../../concurrency/worker-client.ts';
import type { DetectStores } from '../../stores.ts';
import type { EscalationStore } from '../escalation-store.ts';
import type { EventStore } from '../event-store.ts';
import type { ActiveMonitor, MonitorStore } from '../monitor-store.ts';
import { logStart } from '../paging/log-position.ts';
import type { WatchlistStore } from '../watchlist-store.ts';
import { blocklistStore } from './blocklist/blocklist-store.ts';
import { type CacheSizes, usualCacheSizes } from './cache-sizes.ts';
import { campaignStore } from './campaign/campaign-store.ts';
import type { Database } from './database.ts';
import { Blocklists } from './detect/blocklists.ts';
import { Counters } from './detect/counters.ts';
import { Decisions } from './detect/decisions.ts';
import { BlocklistFetches } from './detect/delivery/blocklist-fetches.ts';
import type { DetectCalls } from './detect/detect-calls.ts';
import { DomainRows } from './detect/domain-rows.ts';
import { Events } from './detect/events.ts';
import { ListedNames } from './detect/listed-names.ts';
import { Monitors } from './detect/monitors.ts';
import { openWatchlistDatabase } from './detect/open-watchlist-database.ts';
import { OwnDomains } from './detect/own-domains.ts';
import { Submissions } from './detect/submissions.ts';
import { Subscriptions } from './detect/subscriptions.ts';
import { Sweeps } from './detect/sweeps.ts';
import { opsecStore } from './opsec/opsec-store.ts';
import { sharingStore } from './sharing/sharing-store.ts';
import { sightingStore } from './sighting/sighting-store.ts';
import { suggestionStore } from './suggestion/suggestion-store.ts';
import { decisionStore, triageStore } from './triage/triage-stores.ts';

const monitorsPerPage = 500;

type Workers = WorkerClient<DetectCalls, 'write' | 'list' | 'count' | 'sweep'>;

export function openDetectStores(
  data: string,
  { watchlistBytes: cacheBytes }: Pick<CacheSizes, 'watchlistBytes'> = usualCacheSizes,
): DetectStores & { close(): Promise<void> } {
  const path = join(data, 'watchlist.db');
  const database = openWatchlistDatabase(path, cacheBytes);
  const workers: Workers = new WorkerClient({
    file: new URL('./detect/detect-worker.ts', import.meta.url),
    workerData: { path, cacheBytes },
    owner: 'the watchlist store',
    finish: ['write'],
  });
  // Resumes sweeps that a killed process left unfinished. If this fails too, the next process to open the store resumes them.
  if (new Sweeps(database).isUnfinished()) workers.run('sweep', 'finishSweeps').catch(() => undefined);
  return {
    monitors: monitorStore(database, workers),
    watchlist: watchlistStore(database, workers),
    escalations: escalationStore(database, workers),
    blocklists: blocklistStore(database, workers),
    sharing: sharingStore(database, workers),
    sightings: sightingStore(database, workers),
    opsec: opsecStore(database, workers),
    suggestions: suggestionStore(database, workers),
    campaigns: campaignStore(database, workers),
    decisions: decisionStore(database, workers),
    triage: triageStore(database, workers),
    events: eventStore(database, workers),
    async close() {
      await workers.close();
      database.close();
    },
  };
}

function monitorStore(database: Database, workers: Workers): MonitorStore {
  const monitors = new Monitors(database);
  const counters = new Counters(database);
  const ownDomains = new OwnDomains(database);
  return {
    createMonitor: workers.on('write', 'createMonitor'),
    updateMonitor: workers.on('write', 'updateMonitor'),
    deleteMonitor: workers.on('write', 'deleteMonitor'),
    countMatches: workers.on('list', 'countMatches'),
    findMonitor: async (accountId, id) => monitors.find(accountId, id),
    listMonitors: workers.on('list', 'listMonitors'),
    monitorsVersion: async () => counters.get('monitors'),
    recordSearchProgress: workers.on('write', 'recordSearchProgress'),

    async listActiveMonitors() {
      // Read before the monitors: a change made meanwhile has a later version, and makes the caller list them again.
      const version = counters.get('monitors');
      const active: ActiveMonitor[] = [];
      let next: number | undefined = 0;
      while (next !== undefined) {
        const page = monitors.listActive(next, monitorsPerPage);
        active.push(...page.monitors);
        next = page.next;
        if (next !== undefined) await yieldToEventLoop();
      }
      return { version, monitors: active };
    },

    listOwnDomains: async (accountId) => ownDomains.list(accountId),
    changeOwnDomains: workers.on('write', 'changeOwnDomains'),
    listAllOwnDomains: async () => ownDomains.listAll(),
  };
}

function watchlistStore(database: Database, workers: Workers): WatchlistStore {
  const counters = new Counters(database);
  const names = new ListedNames(database);
  const domainRows = new DomainRows(database);
  const inOneTransaction = database.transaction((work: () => void) => work());
  const hasDomains = anyRowOf(database, 'domain');
  return {
    addDiscoveries: workers.on('write', 'addDiscoveries'),
    applyRecordChanges: workers.on('write', 'applyRecordChanges'),
    recordChangesCheckpoint: async () => String(counters.get('news') || logStart),
    async findListedDomains(domains) {
      const listed = await mapInSlices(domains, (name) => names.isListed(name), inOneTransaction);
      return new Set(domains.filter((_, index) => listed[index]));
    },
    async findDomainNamed(accountId, domain) {
      const number = names.findNumber(accountId, domain);
      return number === undefined ? undefined : domainRows.get(number);
    },
    countDecided: workers.on('list', 'countDecided'),
    listWatchedNames: async (after, limit) => names.listWatched(after, limit),
    listDomains: workers.on('list', 'listDomains'),
    pruneUnmatchedDomains: async (nowMs) =>
      hasDomains() ? workers.run('write', 'pruneUnmatchedDomains', nowMs) : undefined,
    triageDomains: workers.on('write', 'triageDomains'),
  };
}

function escalationStore(database: Database, workers: Workers): EscalationStore {
  const decisions = new Decisions(database);
  const submissions = new Submissions(database);
  const blocklists = new Blocklists(database);
  const blocklistFetches = new BlocklistFetches(database);
  return {
    escalateDomains: workers.on('write', 'escalateDomains'),
    findEscalationObstacle: async (accountId, ids, type) =>
      decisions.findEscalationObstacle(accountId, ids, type),
    listEscalations: async (accountId, page) => submissions.list(accountId, page),
    listBlockedDomains: async (accountId, after, limit) => blocklists.list(accountId, after, limit),
    blocklistVersion: async (accountId) => blocklists.version(accountId),
    blocklistEdition: async (accountId) => blocklists.edition(accountId),
    renewBlocklistEdition: workers.on('write', 'renewBlocklistEdition'),
    recordBlocklistFetch: workers.on('write', 'recordBlocklistFetch'),
    listBlocklistFetches: async (accountId) => blocklistFetches.list(accountId),
    leaseSubmissions: async (limit, nowMs, untilMs) =>
      // Asked every second; only what is due needs the thread.
      submissions.hasDue(nowMs) ? workers.run('write', 'leaseSubmissions', limit, nowMs, untilMs) : [],
    recordSubmissionOutcome: workers.on('write', 'recordSubmissionOutcome'),
  };
}

function eventStore(database: Database, workers: Workers): EventStore {
  const events = new Events(database);
  const subscriptions = new Subscriptions(database);
  const hasEvents = anyRowOf(database, 'event');
  return {
    listEvents: async (accountId, page) => events.list(accountId, page),
    listAllEvents: async (accountId, page) => events.listAll(accountId, page),
    countEvents: async (accountId, page) => events.count(accountId, page),
    lastEventId: async (accountId) => events.lastId(accountId),
    pruneEvents: async (beforeMs) =>
      hasEvents() ? workers.run('write', 'pruneEvents', beforeMs) : undefined,
    createSubscription: workers.on('write', 'createSubscription'),
    deleteSubscription: workers.on('write', 'deleteSubscription'),
    listSubscriptions: async (accountId) => subscriptions.list(accountId),
    findSubscription: async (accountId, id) => subscriptions.find(accountId, id),
    updateSubscription: workers.on('write', 'updateSubscription'),
    leaseSubscriptions: async (limit, nowMs, untilMs) =>
      subscriptions.hasActive() ? workers.run('write', 'leaseSubscriptions', limit, nowMs, untilMs) : [],
    recordDeliveryOutcome: workers.on('write', 'recordDeliveryOutcome'),
    recordDelivery: workers.on('write', 'recordDelivery'),
    listDeliveries: async (accountId, id) => subscriptions.listDeliveries(accountId, id),
  };
}

/** Maintenance asks every minute, and starts no thread for a table without rows. */
function anyRowOf(database: Database, table: 'event' | 'domain'): () => boolean {
  const any = database.prepare(`select exists (select 1 from ${table})`).pluck();
  return () => any.get() === 1;
}
