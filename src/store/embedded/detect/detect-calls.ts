/** What worker threads do with `watchlist.db`: all writes, and lists that may be long. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { DeliveryAttempt } from '../../../model/detect/delivery.ts';
import type {
  DomainState,
  EscalationType,
  MonitorSettings,
  WatchlistId,
} from '../../../model/detect/watchlist.ts';
import type { BlocklistFetch, SubmissionOutcome } from '../../escalation-store.ts';
import type { DeliveryOutcome, NewSubscription, SubscriptionChange } from '../../event-store.ts';
import type { MonitorChange, MonitorDeletion, MonitorQuery, SearchProgress } from '../../monitor-store.ts';
import type { ListPaging } from '../../paging/list-paging.ts';
import type { LogPosition } from '../../paging/log-position.ts';
import type { Discovery, DomainQuery, RecordChange } from '../../watchlist-store.ts';
import { blocklistCalls } from '../blocklist/blocklist-calls.ts';
import { campaignCalls } from '../campaign/campaign-store.ts';
import { type Database, write } from '../database.ts';
import { opsecCalls } from '../opsec/opsec-store.ts';
import { sharingCalls } from '../sharing/sharing-calls.ts';
import { sightingCalls } from '../sighting/sighting-store.ts';
import { suggestionCalls } from '../suggestion/suggestion-store.ts';
import { triageCalls } from '../triage/triage-calls.ts';
import { Blocklists } from './blocklists.ts';
import { Counters } from './counters.ts';
import { Decisions } from './decisions.ts';
import { BlocklistFetches } from './delivery/blocklist-fetches.ts';
import { Discoveries } from './discoveries.ts';
import { DomainList } from './domain-list.ts';
import { Events } from './events.ts';
import { ListedNames } from './listed-names.ts';
import { MonitorList } from './monitor-list.ts';
import { Monitors } from './monitors.ts';
import { OwnDomains } from './own-domains.ts';
import { RecordChanges } from './record-changes.ts';
import { Submissions } from './submissions.ts';
import { Subscriptions } from './subscriptions.ts';
import { Sweeps } from './sweeps.ts';

export type DetectCalls = ReturnType<typeof detectCalls>;

type Actor = { readonly username: string; readonly atMs: number };

const eventsPerTransaction = 1000;

export function detectCalls(database: Database) {
  const monitors = new Monitors(database);
  const monitorList = new MonitorList(database);
  const ownDomains = new OwnDomains(database);
  const sweeps = new Sweeps(database);
  const listedNames = new ListedNames(database);
  const discoveries = new Discoveries(database);
  const counters = new Counters(database);
  const recordChanges = new RecordChanges(database);
  const domainList = new DomainList(database);
  const decisions = new Decisions(database);
  const blocklists = new Blocklists(database);
  const submissions = new Submissions(database);
  const events = new Events(database);
  const subscriptions = new Subscriptions(database);
  const blocklistFetches = new BlocklistFetches(database);
  const inTransaction = <Result>(work: () => Result) => write(database, work);

  return {
    ...triageCalls(database),
    ...blocklistCalls(database),
    ...sharingCalls(database),
    ...sightingCalls(database),
    ...opsecCalls(database),
    ...suggestionCalls(database),
    ...campaignCalls(database),

    createMonitor: (accountId: string, settings: MonitorSettings, by: Actor) =>
      inTransaction(() => monitors.create(accountId, settings, by)),

    async updateMonitor(accountId: string, id: WatchlistId, change: MonitorChange, atMs: number) {
      const number = await inTransaction(() => monitors.update(accountId, id, change, atMs));
      if (number !== undefined) await sweeps.applySettings(number);
      return monitors.find(accountId, id);
    },

    async deleteMonitor(accountId: string, id: WatchlistId, options: MonitorDeletion = {}) {
      const number = await inTransaction(() => monitors.delete(accountId, id, options));
      return number === undefined ? undefined : sweeps.removeMonitor(number);
    },

    listMonitors: (accountId: string, query: MonitorQuery, paging?: ListPaging) =>
      monitorList.list(accountId, query, paging),

    countMatches: async (accountId: string, id: WatchlistId) => monitors.countMatches(accountId, id),

    countDecided: async (accountId: string, names: readonly string[]) =>
      listedNames.countDecided(accountId, names),

    recordSearchProgress: (accountId: string, id: WatchlistId, progress: SearchProgress) =>
      inTransaction(() => monitors.recordSearchProgress(accountId, id, progress)),

    async changeOwnDomains(
      accountId: string,
      change: { readonly add: readonly string[]; readonly remove: readonly string[] },
    ) {
      await inTransaction(() => ownDomains.change(accountId, change));
      await sweeps.removeOwnDomains(accountId);
      return ownDomains.list(accountId);
    },

    finishSweeps: () => sweeps.finish(),

    addDiscoveries: (found: readonly Discovery[]) =>
      inTransaction(() =>
        found
          .filter((discovery) => discoveries.add(discovery))
          .map(({ accountId, domain }) => ({ accountId, domain })),
      ),

    applyRecordChanges: (
      changes: readonly RecordChange[],
      checkpoint: { readonly from: LogPosition; readonly to: LogPosition },
      nowMs: number,
    ) =>
      inTransaction(() => {
        if (counters.get('news') !== Number(checkpoint.from)) return false;
        for (const change of changes) recordChanges.apply(change, nowMs);
        counters.set('news', Number(checkpoint.to));
        return true;
      }),

    listDomains: async (accountId: string, query: DomainQuery, paging?: ListPaging) =>
      paging ? domainList.listPage(accountId, query, paging) : domainList.list(accountId, query),

    pruneUnmatchedDomains: (nowMs: number) => sweeps.pruneUnmatched(nowMs),

    triageDomains: (
      accountId: string,
      ids: readonly WatchlistId[],
      state: Extract<DomainState, 'watched' | 'ignored'>,
      by: Actor,
    ) => inTransaction(() => decisions.triage(accountId, ids, state, by)),

    escalateDomains: (accountId: string, ids: readonly WatchlistId[], type: EscalationType, by: Actor) =>
      inTransaction(() => decisions.escalate(accountId, ids, type, by)),

    renewBlocklistEdition: (accountId: string) => inTransaction(() => blocklists.renew(accountId)),

    leaseSubmissions: (limit: number, nowMs: number, untilMs: number) =>
      inTransaction(() => submissions.lease(limit, nowMs, untilMs)),

    recordSubmissionOutcome: (id: WatchlistId, outcome: SubmissionOutcome) =>
      inTransaction(() => submissions.recordOutcome(id, outcome)),

    async pruneEvents(beforeMs: number) {
      while (await inTransaction(() => events.prune(beforeMs, eventsPerTransaction)))
        await yieldToEventLoop();
    },

    createSubscription: (accountId: string, subscription: NewSubscription) =>
      inTransaction(() => subscriptions.create(accountId, subscription)),

    deleteSubscription: (accountId: string, id: WatchlistId) =>
      inTransaction(() => subscriptions.delete(accountId, id)),

    // Polled frequently, so it takes the write lock only if something is due.
    leaseSubscriptions: async (limit: number, nowMs: number, untilMs: number) =>
      subscriptions.hasDue(nowMs, untilMs)
        ? inTransaction(() => subscriptions.lease(limit, nowMs, untilMs))
        : [],

    updateSubscription: (accountId: string, id: WatchlistId, change: SubscriptionChange, by: Actor) =>
      inTransaction(() => subscriptions.update(accountId, id, change, by)),

    recordDelivery: (accountId: string, id: WatchlistId, attempt: DeliveryAttempt) =>
      inTransaction(() => subscriptions.recordDelivery(accountId, id, attempt)),

    recordBlocklistFetch: (accountId: string, fetch: BlocklistFetch) =>
      inTransaction(() => blocklistFetches.record(accountId, fetch)),

    recordDeliveryOutcome: (id: WatchlistId, outcome: DeliveryOutcome) =>
      inTransaction(() => subscriptions.recordOutcome(id, outcome)),
  };
}
