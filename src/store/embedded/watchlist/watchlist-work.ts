/** What threads do with `watchlist.db`: everything that writes, and lists that may be long. */
import { setImmediate as turn } from 'node:timers/promises';
import type {
  DomainState,
  EscalationType,
  MonitorSettings,
  WatchlistId,
} from '../../../model/detect/watchlist.ts';
import type {
  Discovery,
  DomainNews,
  DomainQuery,
  MonitorChange,
  MonitorQuery,
  NewSubscription,
  SearchProgress,
  SubmissionOutcome,
  SubscriptionOutcome,
} from '../../watchlist-store.ts';
import { type Database, write } from '../database.ts';
import { Blocklists } from './blocklists.ts';
import { Counters } from './counters.ts';
import { Decisions } from './decisions.ts';
import { Discoveries } from './discoveries.ts';
import { DomainList } from './domain-list.ts';
import { Events } from './events.ts';
import { MonitorList } from './monitor-list.ts';
import { Monitors } from './monitors.ts';
import { News } from './news.ts';
import { OwnDomains } from './own-domains.ts';
import { Submissions } from './submissions.ts';
import { Subscriptions } from './subscriptions.ts';
import { Sweeps } from './sweeps.ts';

export type WatchlistWork = ReturnType<typeof watchlistWork>;

type By = { readonly username: string; readonly atMs: number };

const prunedAtOnce = 1000;

export function watchlistWork(database: Database) {
  const monitors = new Monitors(database);
  const monitorList = new MonitorList(database);
  const own = new OwnDomains(database);
  const sweeps = new Sweeps(database);
  const discoveries = new Discoveries(database);
  const counters = new Counters(database);
  const news = new News(database);
  const domainList = new DomainList(database);
  const decisions = new Decisions(database);
  const blocklists = new Blocklists(database);
  const submissions = new Submissions(database);
  const events = new Events(database);
  const subscriptions = new Subscriptions(database);
  const within = <Result>(work: () => Result) => write(database, work);

  return {
    createMonitor: (accountId: string, settings: MonitorSettings, by: By) =>
      within(() => monitors.create(accountId, settings, by)),

    async updateMonitor(accountId: string, id: WatchlistId, change: MonitorChange, atMs: number) {
      const number = await within(() => monitors.update(accountId, id, change, atMs));
      if (number !== undefined) await sweeps.applySettings(number);
      return monitors.find(accountId, id);
    },

    async deleteMonitor(accountId: string, id: WatchlistId) {
      const number = await within(() => monitors.delete(accountId, id));
      if (number !== undefined) await sweeps.removeMonitor(number);
      return number !== undefined;
    },

    listMonitors: (accountId: string, query: MonitorQuery) => monitorList.list(accountId, query),

    noteSearch: (accountId: string, id: WatchlistId, progress: SearchProgress) =>
      within(() => monitors.note(accountId, id, progress)),

    async changeOwnDomains(
      accountId: string,
      change: { readonly add: readonly string[]; readonly remove: readonly string[] },
    ) {
      await within(() => own.change(accountId, change));
      await sweeps.removeOwn(accountId);
      return own.list(accountId);
    },

    finishSweeps: () => sweeps.finish(),

    discover: (found: readonly Discovery[]) =>
      within(() =>
        found
          .filter((discovery) => discoveries.take(discovery))
          .map(({ accountId, domain }) => ({ accountId, domain })),
      ),

    takeNews: (
      items: readonly DomainNews[],
      place: { readonly from: number; readonly to: number },
      nowMs: number,
    ) =>
      within(() => {
        if (counters.get('news') !== place.from) return false;
        for (const item of items) news.take(item, nowMs);
        counters.set('news', place.to);
        return true;
      }),

    listDomains: (accountId: string, query: DomainQuery) => domainList.list(accountId, query),

    triage: (
      accountId: string,
      ids: readonly WatchlistId[],
      state: Extract<DomainState, 'watched' | 'ignored'>,
      by: By,
    ) => within(() => decisions.triage(accountId, ids, state, by)),

    escalate: (accountId: string, ids: readonly WatchlistId[], type: EscalationType, by: By) =>
      within(() => decisions.escalate(accountId, ids, type, by)),

    renewBlocklistEdition: (accountId: string) => within(() => blocklists.renew(accountId)),

    leaseSubmissions: (limit: number, nowMs: number, untilMs: number) =>
      within(() => submissions.lease(limit, nowMs, untilMs)),

    settleSubmission: (id: WatchlistId, outcome: SubmissionOutcome) =>
      within(() => submissions.settle(id, outcome)),

    async pruneEvents(beforeMs: number) {
      while (await within(() => events.prune(beforeMs, prunedAtOnce))) await turn();
    },

    createSubscription: (accountId: string, subscription: NewSubscription) =>
      within(() => subscriptions.create(accountId, subscription)),

    deleteSubscription: (accountId: string, id: WatchlistId) =>
      within(() => subscriptions.delete(accountId, id)),

    // Asked for every moment, it takes the lock only where there is something.
    leaseSubscriptions: async (limit: number, nowMs: number, untilMs: number) =>
      subscriptions.hasDue(nowMs) ? within(() => subscriptions.lease(limit, nowMs, untilMs)) : [],

    settleSubscription: (id: WatchlistId, outcome: SubscriptionOutcome) =>
      within(() => subscriptions.settle(id, outcome)),
  };
}
