/** An account with a watchlist, and short ways to fill it and to look at it. */
import assert from 'node:assert/strict';
import type {
  DomainFacts,
  DomainState,
  EscalationType,
  Monitor,
  MonitorSettings,
  WatchlistDomain,
} from '../../src/model/detect/watchlist.ts';
import type {
  Discovery,
  DomainNews,
  DomainQuery,
  MonitorQuery,
  WatchlistStore,
} from '../../src/store/watchlist-store.ts';

export const reason: Discovery['matches'][number]['reason'] = {
  class: 'leet',
  steps: [{ class: 'leet', at: 5, removed: 'l', inserted: '1' }],
  name: 'paypa1.example',
  from: 0,
  to: 6,
  text: 'paypa1',
  distance: 0,
};

export const facts: DomainFacts = {
  active: true,
  mxExists: false,
  nameServers: [],
  riskScore: undefined,
  riskStatus: undefined,
  riskComponents: undefined,
};

let accounts = 0;

export class WatchlistWorld {
  readonly store: WatchlistStore;
  readonly accountId: string;

  /** An account of its own, so that many tests share one store. */
  constructor(store: WatchlistStore, accountId = `account${++accounts}`) {
    this.store = store;
    this.accountId = accountId;
  }

  monitor(settings: Partial<MonitorSettings> = {}, atMs = 1000): Promise<Monitor> {
    const whole = {
      term: 'paypal',
      matchSubstringVariations: false,
      nameserverExclusions: [],
      textExclusions: [],
      ...settings,
    };
    return this.store.createMonitor(this.accountId, whole, { username: 'ann', atMs });
  }

  discovery(domain: string, monitors: readonly Monitor[], more: Partial<Discovery> = {}): Discovery {
    return {
      accountId: this.accountId,
      domain,
      tld: domain.slice(domain.indexOf('.') + 1),
      discoveredMs: 2000,
      matches: monitors.map(({ id }) => ({ monitorId: id, reason })),
      facts: undefined,
      ...more,
    };
  }

  discover(domain: string, monitors: readonly Monitor[], more: Partial<Discovery> = {}) {
    return this.store.discover([this.discovery(domain, monitors, more)]);
  }

  async list(state: DomainState, more: Partial<DomainQuery> = {}) {
    const listed = await this.store.listDomains(this.accountId, {
      state,
      sort: ['discovered_date'],
      descending: true,
      offset: 0,
      limit: 100,
      ...more,
    });
    assert.ok(listed !== 'unknown-monitor', 'the monitor is known');
    return listed;
  }

  async names(state: DomainState, more: Partial<DomainQuery> = {}): Promise<readonly string[]> {
    return (await this.list(state, more)).domains.map(({ domain }) => domain);
  }

  /** Of whichever list. */
  async find(domain: string): Promise<WatchlistDomain> {
    for (const state of ['new', 'watched', 'ignored'] as const) {
      const found = (await this.list(state, { search: domain })).domains.find((one) => one.domain === domain);
      if (found) return found;
    }
    throw new Error(`${domain} is on no list`);
  }

  async triage(domain: string, state: 'watched' | 'ignored', by = { username: 'bob', atMs: 3000 }) {
    return this.store.triage(this.accountId, [(await this.find(domain)).id], state, by);
  }

  async escalate(domain: string, type: EscalationType, by = { username: 'bob', atMs: 4000 }) {
    const outcome = await this.store.escalate(this.accountId, [(await this.find(domain)).id], type, by);
    assert.equal(outcome.outcome, 'escalated');
    return outcome.escalations[0] as (typeof outcome.escalations)[number];
  }

  /** At whatever place the log of updates stands. */
  async news(news: readonly DomainNews[], nowMs = 5000): Promise<void> {
    const from = await this.store.newsPlace();
    assert.equal(await this.store.takeNews(news, { from, to: from + 1 }, nowMs), true);
  }

  async monitors(query: Partial<MonitorQuery> = {}) {
    return this.store.listMonitors(this.accountId, {
      sort: ['term'],
      descending: false,
      offset: 0,
      limit: 100,
      ...query,
    });
  }

  async events(): Promise<readonly string[]> {
    const events = await this.store.listEvents(this.accountId, { afterId: 0, limit: 1000 });
    return events.map(({ kind, domain }) => `${kind} ${domain}`);
  }
}
