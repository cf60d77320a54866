/** One search for all active monitors of all accounts, rebuilt when a monitor changes. Editions in use are closed with their last user. */

import { Mutex } from '../../concurrency/mutex.ts';
import type { NameSearch, OpenSearch } from '../../model/detect/name-search.ts';
import type { MonitorStore } from '../../store/monitor-store.ts';
import { searchPlan } from './search-plan.ts';

export interface ActiveMonitorSearchNeeds {
  readonly monitors: Pick<MonitorStore, 'listActiveMonitors' | 'listAllOwnDomains' | 'monitorsVersion'>;
  readonly search: NameSearch;
}

interface Edition {
  readonly version: number;
  /** Undefined where there is no monitor. */
  readonly search: OpenSearch | undefined;
  users: number;
}

export class ActiveMonitorSearch {
  readonly #needs: ActiveMonitorSearchNeeds;
  readonly #mutex = new Mutex();
  #edition: Edition | undefined;

  constructor(needs: ActiveMonitorSearchNeeds) {
    this.#needs = needs;
  }

  /** Calls `work` with a search that includes every monitor existing at the time of the call. */
  async use<Result>(work: (search: OpenSearch | undefined) => Promise<Result>): Promise<Result> {
    const edition = await this.#mutex.runExclusive(async () => {
      const current = await this.#refresh();
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

  /** After a failure: the worker thread may have lost its state. */
  forget(): void {
    const edition = this.#edition;
    this.#edition = undefined;
    if (edition) this.#closeUnused(edition);
  }

  async #refresh(): Promise<Edition> {
    const { monitors, search } = this.#needs;
    const earlier = this.#edition;
    if (earlier && (await monitors.monitorsVersion()) === earlier.version) return earlier;
    const { version, monitors: active } = await monitors.listActiveMonitors();
    const isIdle = active.length === 0;
    const plan = searchPlan(active, isIdle ? new Map() : await monitors.listAllOwnDomains());
    const edition = { version, search: isIdle ? undefined : await search.open(plan), users: 0 };
    this.#edition = edition;
    if (earlier) this.#closeUnused(earlier);
    return edition;
  }

  #closeUnused(edition: Edition): void {
    if (edition.users === 0 && edition !== this.#edition) edition.search?.close();
  }
}
