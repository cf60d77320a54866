/** A team with a monitor for each brand of the simulated Internet, whose analyst decides every day about what is new: honest, and knowing who is behind a domain. */
import type { Caller } from '../../src/model/account/account.ts';
import {
  answerSuggestion,
  listSuggestions,
  type SuggestionNeeds,
} from '../../src/product/detect/learning/suggestions.ts';
import type { MonitorStore } from '../../src/store/monitor-store.ts';
import type { WatchlistStore } from '../../src/store/watchlist-store.ts';
import { brands } from '../../world/story/brands.ts';

export interface TeamNeeds extends SuggestionNeeds {
  readonly monitors: MonitorStore;
  readonly watchlist: Pick<WatchlistStore, 'listDomains' | 'triageDomains'>;
}

const pageDomains = 1000;

export class SimulatedTeam {
  readonly #needs: TeamNeeds;
  readonly #caller: Caller;
  /** Every domain that the team has seen on its list, and what it decided. */
  readonly decided = new Map<string, 'watched' | 'ignored'>();

  constructor(id: string, needs: TeamNeeds) {
    this.#needs = needs;
    this.#caller = {
      account: { id, name: id, active: true, products: [] },
      user: {
        id: `${id}-analyst`,
        username: `${id}-analyst`,
        permissions: [],
        apiOwner: false,
        createdMs: 0,
        hasBatchKey: false,
        channels: [],
      },
    };
  }

  async watchBrands(nowMs: number): Promise<void> {
    const { account, user } = this.#caller;
    for (const { word } of brands) {
      const settings = {
        term: word,
        matchSubstringVariations: true,
        nameserverExclusions: [],
        textExclusions: [],
      };
      await this.#needs.monitors.createMonitor(account.id, settings, {
        username: user.username,
        atMs: nowMs,
      });
    }
  }

  /** Watches what a crew has, and ignores the rest. */
  async decide(isCrews: (domain: string) => boolean, nowMs: number): Promise<void> {
    const { watchlist } = this.#needs;
    const { account, user } = this.#caller;
    const query = {
      state: 'new',
      sort: ['discovered_date'],
      descending: false,
      offset: 0,
      limit: pageDomains,
    } as const;
    for (;;) {
      const listed = await watchlist.listDomains(account.id, query);
      if (listed === 'unknown-monitor') throw new Error('no monitor was asked for');
      if (listed.domains.length === 0) return;
      for (const [state, domains] of Map.groupBy(listed.domains, ({ domain }) =>
        isCrews(domain) ? ('watched' as const) : ('ignored' as const),
      )) {
        const by = { username: user.username, atMs: nowMs };
        await watchlist.triageDomains(
          account.id,
          domains.map(({ id }) => id),
          state,
          by,
        );
        for (const { domain } of domains) this.decided.set(domain, state);
      }
    }
  }

  /** All that the product suggests. Returns them as text. */
  async acceptSuggestions(nowMs: number): Promise<readonly string[]> {
    const accepted: string[] = [];
    for (const { id, kind, value, monitor } of await listSuggestions(this.#caller.account, this.#needs)) {
      await answerSuggestion(this.#caller, { id, outcome: 'accepted' }, this.#needs, nowMs);
      accepted.push(`${monitor.term}: ${kind} ${value}`.trim());
    }
    return accepted;
  }
}
