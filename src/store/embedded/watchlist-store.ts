/**
 * watchlist.db: `monitor`, what is looked for; `domain`, what was found, once for each account, and `monitor_match`, why;
 * `escalation`; `event`, what is to be told, and `subscription`, to whom; `own_domain`; `blocklist`.
 *
 * Whether a list shows a domain is worked out when something changes and kept with it (`watchlist/standing.ts`), so lists are scans of
 * an index. Everything that writes, and lists that may be long, is done in threads (`watchlist/watchlist-work.ts`); what is read by key
 * is read here. A change of more rows than one transaction should touch is a sweep (`watchlist/sweeps.ts`).
 */
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { ActiveMonitor, WatchlistStore } from '../watchlist-store.ts';
import { inSlices } from './domain/in-slices.ts';
import { ThreadJobs } from './thread-jobs.ts';
import { Blocklists } from './watchlist/blocklists.ts';
import { Counters } from './watchlist/counters.ts';
import { Decisions } from './watchlist/decisions.ts';
import { Events } from './watchlist/events.ts';
import { KnownNames } from './watchlist/known-names.ts';
import { Monitors } from './watchlist/monitors.ts';
import { openWatchlist } from './watchlist/open-watchlist.ts';
import { OwnDomains } from './watchlist/own-domains.ts';
import { Submissions } from './watchlist/submissions.ts';
import { Subscriptions } from './watchlist/subscriptions.ts';
import { Sweeps } from './watchlist/sweeps.ts';
import type { WatchlistWork } from './watchlist/watchlist-work.ts';

/** Monitors read in one step. */
const monitorsAtOnce = 500;

export function openWatchlistStore(data: string): WatchlistStore {
  const path = join(data, 'watchlist.db');
  const database = openWatchlist(path);
  const threads = new ThreadJobs<WatchlistWork, 'write' | 'list' | 'sweep'>({
    file: new URL('./watchlist/watchlist-thread.ts', import.meta.url),
    workerData: { path },
    store: 'the store of watchlists',
    finish: ['write'],
  });
  // What somebody died over. Where it fails or is given up, the next one to open the store does it.
  if (new Sweeps(database).isUnfinished()) threads.run('sweep', 'finishSweeps').catch(() => undefined);

  const atOneMoment = database.transaction((work: () => void) => work());
  const monitors = new Monitors(database);
  const counters = new Counters(database);
  const own = new OwnDomains(database);
  const names = new KnownNames(database);
  const decisions = new Decisions(database);
  const submissions = new Submissions(database);
  const blocklists = new Blocklists(database);
  const events = new Events(database);
  const subscriptions = new Subscriptions(database);

  return {
    createMonitor: threads.on('write', 'createMonitor'),
    updateMonitor: threads.on('write', 'updateMonitor'),
    deleteMonitor: threads.on('write', 'deleteMonitor'),
    findMonitor: async (accountId, id) => monitors.find(accountId, id),
    listMonitors: threads.on('list', 'listMonitors'),
    monitorsVersion: async () => counters.get('monitors'),
    noteSearch: threads.on('write', 'noteSearch'),

    async listActiveMonitors() {
      // Read first: what changes meanwhile has a later version, and is asked for again.
      const version = counters.get('monitors');
      const active: ActiveMonitor[] = [];
      let next: number | undefined = 0;
      while (next !== undefined) {
        const page = monitors.listActive(next, monitorsAtOnce);
        active.push(...page.monitors);
        next = page.next;
        if (next !== undefined) await turn();
      }
      return { version, monitors: active };
    },

    listOwnDomains: async (accountId) => own.list(accountId),
    changeOwnDomains: threads.on('write', 'changeOwnDomains'),
    listAllOwnDomains: async () => own.listAll(),

    discover: threads.on('write', 'discover'),
    takeNews: threads.on('write', 'takeNews'),
    newsPlace: async () => counters.get('news'),
    async findListed(domains) {
      const found = await inSlices(domains, (name) => [name, names.find(name)] as const, atOneMoment);
      return new Map(found.flatMap(([name, standing]) => (standing ? [[name, standing] as const] : [])));
    },
    listWatchedNames: async (after, limit) => names.listWatched(after, limit),

    listDomains: threads.on('list', 'listDomains'),
    triage: threads.on('write', 'triage'),
    escalate: threads.on('write', 'escalate'),
    findRefusal: async (accountId, ids, type) => decisions.findRefusal(accountId, ids, type),
    listEscalations: async (accountId, page) => submissions.list(accountId, page),

    listBlocked: async (accountId, after, limit) => blocklists.list(accountId, after, limit),
    blockedVersion: async (accountId) => blocklists.version(accountId),
    blocklistEdition: async (accountId) => blocklists.edition(accountId),
    renewBlocklistEdition: threads.on('write', 'renewBlocklistEdition'),

    leaseSubmissions: threads.on('write', 'leaseSubmissions'),
    settleSubmission: threads.on('write', 'settleSubmission'),

    listEvents: async (accountId, page) => events.list(accountId, page),
    lastEventId: async (accountId) => events.lastId(accountId),
    pruneEvents: threads.on('write', 'pruneEvents'),

    createSubscription: threads.on('write', 'createSubscription'),
    deleteSubscription: threads.on('write', 'deleteSubscription'),
    listSubscriptions: async (accountId) => subscriptions.list(accountId),
    leaseSubscriptions: threads.on('write', 'leaseSubscriptions'),
    settleSubscription: threads.on('write', 'settleSubscription'),

    async close() {
      await threads.close();
      database.close();
    },
  };
}
