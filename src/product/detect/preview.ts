/** A dry run: what a monitor would have found among the names of the last 90 days. Nothing is stored. */

import type { Account } from '../../model/account/account.ts';
import type { Clock } from '../../model/clock.ts';
import { countLines } from '../../model/count-lines.ts';
import { isExcluded } from '../../model/detect/exclusions.ts';
import { factsOf } from '../../model/detect/facts.ts';
import type { FoundDomain, NameSearch, OpenSearch } from '../../model/detect/name-search.ts';
import type { MonitorMatch, MonitorSettings } from '../../model/detect/watchlist.ts';
import { dayMs, minuteMs } from '../../model/durations.ts';
import type { MatchClass } from '../../model/lookalike/match.ts';
import { Problem } from '../../model/problem.ts';
import { namesStream } from '../../model/stream-names.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { MonitorStore } from '../../store/monitor-store.ts';
import { scanLines } from '../../store/scan-lines.ts';
import type { Offset, StreamStore } from '../../store/stream-store.ts';

export interface PreviewNeeds {
  readonly streams: Pick<StreamStore, 'findState' | 'offsetAt' | 'openRange'>;
  readonly domains: Pick<DomainStore, 'findRecords'>;
  readonly monitors: Pick<MonitorStore, 'listOwnDomains'>;
  readonly nameSearch: NameSearch;
  readonly clock: Clock;
}

export interface PreviewedDomain {
  readonly domain: string;
  readonly tld: string;
  /** The beginning of the day. */
  readonly seenMs: number;
  readonly reason: MonitorMatch['reason'];
}

export interface Preview {
  /** Names searched, duplicates included. */
  readonly names: number;
  /** False when the search hit a limit; then the oldest part is missing. */
  readonly isComplete: boolean;
  readonly total: number;
  readonly classes: ReadonlyMap<MatchClass, number>;
  /** Newest first. */
  readonly domains: readonly PreviewedDomain[];
}

export const previewDays = 90;
/** Limits of a dry run; beyond them the result is marked incomplete. */
const domainsMax = 50_000;
const searchMsMax = 10_000;
const concurrencyMax = 4;

export class Previews {
  readonly #needs: PreviewNeeds;
  #active = 0;

  constructor(needs: PreviewNeeds) {
    this.#needs = needs;
  }

  async preview(account: Account, settings: MonitorSettings, limit: number): Promise<Preview> {
    if (this.#active >= concurrencyMax)
      throw new Problem('limit-exceeded', 'Too many dry runs are under way. Try again in some seconds.', {
        limit: {
          product: 'intel-detect-monitors',
          size: concurrencyMax,
          window: 'moment',
          retryAfterSeconds: searchMsMax / 1000,
        },
      });
    this.#active += 1;
    try {
      return await dryRun(account, settings, limit, this.#needs);
    } finally {
      this.#active -= 1;
    }
  }
}

async function dryRun(
  { id: accountId }: Account,
  settings: MonitorSettings,
  limit: number,
  needs: PreviewNeeds,
): Promise<Preview> {
  const { term: text, matchSubstringVariations: substringVariations, textExclusions } = settings;
  const search = await needs.nameSearch.open({
    terms: [{ text, substringVariations }],
    targets: [{ accountId, monitorId: '', term: 0, textExclusions }],
    ownDomains: new Map([[accountId, await needs.monitors.listOwnDomains(accountId)]]),
  });
  const run = new DryRun(search, settings, limit, needs);
  try {
    const isComplete = await run.searchBackwards();
    const { names, total, classes, domains } = run;
    return { names, isComplete, total, classes, domains };
  } finally {
    search.close();
  }
}

class DryRun {
  readonly #search: OpenSearch;
  readonly #settings: MonitorSettings;
  readonly #limit: number;
  readonly #needs: PreviewNeeds;
  readonly #endsMs = performance.now() + searchMsMax;
  readonly #seen = new Set<string>();
  readonly classes = new Map<MatchClass, number>();
  readonly domains: PreviewedDomain[] = [];
  names = 0;
  total = 0;

  constructor(search: OpenSearch, settings: MonitorSettings, limit: number, needs: PreviewNeeds) {
    this.#search = search;
    this.#settings = settings;
    this.#limit = limit;
    this.#needs = needs;
  }

  /** Day by day from today, so that a search that hits a limit misses the oldest part. */
  async searchBackwards(): Promise<boolean> {
    const { streams, clock } = this.#needs;
    const state = await streams.findState(namesStream);
    if (!state) return true;
    const nowMs = clock.now();
    const todayMs = nowMs - (nowMs % dayMs);
    let to = state.end;
    for (let day = 0; day <= previewDays && to > state.start; day += 1) {
      const startMs = todayMs - day * dayMs;
      const from = await streams.offsetAt(namesStream, startMs / minuteMs);
      if (!(await this.#searchDay(from, to, startMs))) return false;
      to = Math.min(from, to);
    }
    return true;
  }

  async #searchDay(from: Offset, to: Offset, seenMs: number): Promise<boolean> {
    const range = to > from ? await this.#needs.streams.openRange(namesStream, from, to) : undefined;
    if (!range) return true;
    const latest: PreviewedDomain[] = [];
    let isComplete = true;
    try {
      for await (const { bytes } of scanLines(range)) {
        for await (const found of this.#search.find(bytes)) {
          for (const one of await this.#notExcluded(found)) this.#add(one, seenMs, latest);
        }
        this.names += countLines(bytes);
        isComplete = this.#seen.size < domainsMax && performance.now() < this.#endsMs;
        if (!isComplete) break;
      }
    } finally {
      await range.close();
    }
    this.domains.push(...latest.toReversed().slice(0, this.#limit - this.domains.length));
    return isComplete;
  }

  #add({ domain, tld, matches }: FoundDomain, seenMs: number, latest: PreviewedDomain[]): void {
    const reason = matches[0]?.reason;
    if (!reason || this.#seen.has(domain)) return;
    this.#seen.add(domain);
    this.total += 1;
    this.classes.set(reason.class, (this.classes.get(reason.class) ?? 0) + 1);
    latest.push({ domain, tld, seenMs, reason });
    if (latest.length > this.#limit) latest.shift();
  }

  /** Name servers are known from records only. */
  async #notExcluded(found: readonly FoundDomain[]): Promise<readonly FoundDomain[]> {
    const { nameserverExclusions } = this.#settings;
    if (nameserverExclusions.length === 0) return found;
    const records = await this.#needs.domains.findRecords(found.map(({ domain }) => domain));
    return found.filter((_, index) => {
      const record = records[index];
      const nameServers = record ? factsOf(record).nameServers : [];
      return !isExcluded({ nameserverExclusions, textExclusions: [] }, [], nameServers);
    });
  }
}
