/**
 * What a change of a monitor would have meant over the last 90 days: which domains it would have found in addition, and which no longer, with what
 * was decided about them. Two dry runs on the same names.
 */
import type { Account } from '../../../model/account/account.ts';
import type { Monitor, MonitorSettings } from '../../../model/detect/watchlist.ts';
import type { DecidedCounts, WatchlistStore } from '../../../store/watchlist-store.ts';
import type { Previews } from '../preview.ts';
import type { Preview, PreviewedDomain } from './dry-run.ts';

export interface BackTestNeeds {
  readonly previews: Previews;
  readonly watchlist: Pick<WatchlistStore, 'countDecided'>;
}

/** An inactive one finds nothing. */
export type TestedMonitor = MonitorSettings & Pick<Monitor, 'state'>;

export interface BackTest {
  readonly names: number;
  readonly isComplete: boolean;
  /** Domains found with the settings as they are, and with the changed ones. */
  readonly before: number;
  readonly after: number;
  readonly appearing: BackTestPart;
  readonly disappearing: BackTestPart;
}

export interface BackTestPart {
  readonly total: number;
  readonly decided: DecidedCounts;
  /** Newest first, at most the limit. */
  readonly domains: readonly PreviewedDomain[];
}

/** More than a dry run finds: both lists are whole. */
const allFound = 1_000_000;

/** `before` is undefined for a new monitor. */
export async function backTest(
  account: Account,
  change: { readonly before: TestedMonitor | undefined; readonly after: TestedMonitor },
  limit: number,
  needs: BackTestNeeds,
): Promise<BackTest> {
  const run = (monitor: TestedMonitor | undefined) =>
    monitor?.state === 'active' ? needs.previews.preview(account, monitor, { limit: allFound }) : undefined;
  const before = await run(change.before);
  const after = await run(change.after);
  const runs = [before, after].filter((one) => one !== undefined);
  return {
    names: Math.max(0, ...runs.map(({ names }) => names)),
    isComplete: runs.every(({ isComplete }) => isComplete),
    before: before?.total ?? 0,
    after: after?.total ?? 0,
    appearing: await partOf(after, before),
    disappearing: await partOf(before, after),
  };

  async function partOf(of: Preview | undefined, without: Preview | undefined): Promise<BackTestPart> {
    const domains = of?.domains.filter(({ domain }) => !without?.found.has(domain)) ?? [];
    const names = domains.map(({ domain }) => domain);
    return {
      total: domains.length,
      decided: await needs.watchlist.countDecided(account.id, names),
      domains: domains.slice(0, limit),
    };
  }
}
