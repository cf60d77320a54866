/** The search of all active monitors of all accounts, made anew when one of them has changed. */
import type { NameSearch, OpenSearch } from '../../model/detect/name-search.ts';
import type { WatchlistStore } from '../../store/watchlist-store.ts';
import { searchPlan } from './search-plan.ts';
import { Turns } from './turns.ts';

export interface StandingSearchNeeds {
  readonly watchlist: Pick<WatchlistStore, 'listActiveMonitors' | 'listAllOwnDomains' | 'monitorsVersion'>;
  readonly search: NameSearch;
}

interface Edition {
  readonly version: number;
  /** Undefined where there is no monitor. */
  readonly search: OpenSearch | undefined;
  users: number;
}

export class StandingSearch {
  readonly #needs: StandingSearchNeeds;
  readonly #turns = new Turns();
  #edition: Edition | undefined;

  constructor(needs: StandingSearchNeeds) {
    this.#needs = needs;
  }

  /** With every monitor that there is when this is called. */
  async use<Result>(work: (search: OpenSearch | undefined) => Promise<Result>): Promise<Result> {
    const edition = await this.#turns.take(async () => {
      const current = await this.#renew();
      current.users += 1;
      return current;
    });
    try {
      return await work(edition.search);
    } finally {
      edition.users -= 1;
      this.#closeUnused(edition);
    }
  }

  /** After a failure: whoever searched may have lost what it knew. */
  forget(): void {
    const edition = this.#edition;
    this.#edition = undefined;
    if (edition) this.#closeUnused(edition);
  }

  async #renew(): Promise<Edition> {
    const { watchlist, search } = this.#needs;
    const earlier = this.#edition;
    if (earlier && (await watchlist.monitorsVersion()) === earlier.version) return earlier;
    const { version, monitors } = await watchlist.listActiveMonitors();
    const isIdle = monitors.length === 0;
    const plan = searchPlan(monitors, isIdle ? new Map() : await watchlist.listAllOwnDomains());
    const edition = { version, search: isIdle ? undefined : await search.open(plan), users: 0 };
    this.#edition = edition;
    if (earlier) this.#closeUnused(earlier);
    return edition;
  }

  #closeUnused(edition: Edition): void {
    if (edition.users === 0 && edition !== this.#edition) edition.search?.close();
  }
}
