/** Dry runs: what a monitor would have found among the names of the last 90 days. Nothing is stored. */
import type { Account } from '../../model/account/account.ts';
import type { MonitorSettings } from '../../model/detect/watchlist.ts';
import { Problem } from '../../model/problem.ts';
import {
  type DryRunOptions,
  dryRun,
  type Preview,
  type PreviewNeeds,
  searchMsMax,
} from './monitor/dry-run.ts';

/** The search is heavy; other requests must not wait for it. */
const concurrencyMax = 4;

/** How many are under way in each search of names, whichever operation asked for them. */
const active = new WeakMap<object, number>();

export class Previews {
  readonly #needs: PreviewNeeds;

  constructor(needs: PreviewNeeds) {
    this.#needs = needs;
  }

  async preview(account: Account, settings: MonitorSettings, options: DryRunOptions): Promise<Preview> {
    const { nameSearch } = this.#needs;
    const underWay = () => active.get(nameSearch) ?? 0;
    if (underWay() >= concurrencyMax)
      throw new Problem('limit-exceeded', 'Too many dry runs are under way. Try again in some seconds.', {
        limit: {
          product: 'intel-detect-monitors',
          size: concurrencyMax,
          window: 'moment',
          retryAfterSeconds: searchMsMax / 1000,
        },
      });
    active.set(nameSearch, underWay() + 1);
    try {
      return await dryRun(account, settings, options, this.#needs);
    } finally {
      active.set(nameSearch, underWay() - 1);
    }
  }
}
