/**
 * One dry run of a monitor. Names are searched day by day from today, so that a search that hits a limit misses the oldest part. Domains that
 * the exclusions leave out are marked where that is requested, and otherwise left out.
 */
import type { Account } from '../../../model/account/account.ts';
import type { Clock } from '../../../model/clock.ts';
import { countLines } from '../../../model/count-lines.ts';
import { type FoundExclusion, findExclusion } from '../../../model/detect/exclusions.ts';
import { factsOf } from '../../../model/detect/facts.ts';
import type { FoundDomain, NameSearch, OpenSearch } from '../../../model/detect/name-search.ts';
import type { MonitorMatch, MonitorSettings } from '../../../model/detect/watchlist.ts';
import { dayMs, minuteMs } from '../../../model/durations.ts';
import type { MatchClass } from '../../../model/lookalike/match.ts';
import { namesStream } from '../../../model/stream-names.ts';
import type { DomainStore } from '../../../store/domain-store.ts';
import type { MonitorStore } from '../../../store/monitor-store.ts';
import { scanLines } from '../../../store/stream/scan-lines.ts';
import type { Offset, StreamStore } from '../../../store/stream-store.ts';

export interface PreviewNeeds {
  readonly streams: Pick<StreamStore, 'findState' | 'offsetAt' | 'openRange'>;
  readonly domains: Pick<DomainStore, 'findRecords'>;
  readonly monitors: Pick<MonitorStore, 'listOwnDomains'>;
  readonly nameSearch: NameSearch;
  readonly clock: Clock;
}

export interface DryRunOptions {
  /** Domains to return. */
  readonly limit: number;
  /** Returns excluded domains too, marked. */
  readonly markExcluded?: boolean;
}

export interface PreviewedDomain {
  readonly domain: string;
  readonly tld: string;
  /** The beginning of the day. */
  readonly seenMs: number;
  readonly reason: MonitorMatch['reason'];
  readonly excludedBy: FoundExclusion | undefined;
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
  /** All that would have been found. */
  readonly found: ReadonlySet<string>;
  /** How many the exclusions leave out; 0 unless they are marked. */
  readonly excluded: number;
}

export const previewDays = 90;
/** Limits of a dry run; beyond them the result is marked incomplete. */
const domainsMax = 50_000;
export const searchMsMax = 10_000;

/** The term is searched with its exclusions, and where they are marked also without. */
const [kept, unfiltered] = ['kept', 'unfiltered'] as const;

export async function dryRun(
  { id: accountId }: Account,
  settings: MonitorSettings,
  options: DryRunOptions,
  needs: PreviewNeeds,
): Promise<Preview> {
  const { term: text, matchSubstringVariations: substringVariations, textExclusions } = settings;
  const target = { accountId, monitorId: kept, term: 0, textExclusions };
  const search = await needs.nameSearch.open({
    terms: [{ text, substringVariations }],
    targets: options.markExcluded
      ? [target, { ...target, monitorId: unfiltered, textExclusions: [] }]
      : [target],
    ownDomains: new Map([[accountId, await needs.monitors.listOwnDomains(accountId)]]),
  });
  const run = new DryRun(search, settings, options.limit, needs);
  try {
    const isComplete = await run.searchBackwards();
    const { names, classes, domains, found, excluded } = run;
    return { names, isComplete, total: found.size, classes, domains, found, excluded: excluded.size };
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
  readonly classes = new Map<MatchClass, number>();
  readonly domains: PreviewedDomain[] = [];
  readonly found = new Set<string>();
  readonly excluded = new Set<string>();
  names = 0;

  constructor(search: OpenSearch, settings: MonitorSettings, limit: number, needs: PreviewNeeds) {
    this.#search = search;
    this.#settings = settings;
    this.#limit = limit;
    this.#needs = needs;
  }

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
        for await (const found of this.#search.find(bytes)) await this.#addFound(found, seenMs, latest);
        this.names += countLines(bytes);
        isComplete = this.found.size + this.excluded.size < domainsMax && performance.now() < this.#endsMs;
        if (!isComplete) break;
      }
    } finally {
      await range.close();
    }
    this.domains.push(...latest.toReversed().slice(0, this.#limit - this.domains.length));
    return isComplete;
  }

  async #addFound(found: readonly FoundDomain[], seenMs: number, latest: PreviewedDomain[]): Promise<void> {
    const exclusions = await this.#findExclusions(found);
    for (const [index, { domain, tld, matches }] of found.entries()) {
      const reason = (matches.find(({ monitorId }) => monitorId === kept) ?? matches[0])?.reason;
      if (!reason || this.found.has(domain)) continue;
      const excludedBy = exclusions[index];
      if (excludedBy && (this.excluded.has(domain) || !this.#isMarked(matches))) continue;
      if (!excludedBy && this.excluded.delete(domain)) withdraw(domain, latest, this.domains);
      if (excludedBy) this.excluded.add(domain);
      else {
        this.found.add(domain);
        this.classes.set(reason.class, (this.classes.get(reason.class) ?? 0) + 1);
      }
      latest.push({ domain, tld, seenMs, reason, excludedBy });
      if (latest.length > this.#limit) latest.shift();
    }
  }

  #isMarked(matches: FoundDomain['matches']): boolean {
    return matches.some(({ monitorId }) => monitorId === unfiltered);
  }

  /** Name servers are known from records only. */
  async #findExclusions(found: readonly FoundDomain[]): Promise<readonly (FoundExclusion | undefined)[]> {
    const { nameserverExclusions, textExclusions } = this.#settings;
    const records =
      nameserverExclusions.length === 0
        ? []
        : await this.#needs.domains.findRecords(found.map(({ domain }) => domain));
    return found.map(({ matches }, index) => {
      const isKept = matches.some(({ monitorId }) => monitorId === kept);
      const names = matches.map(({ reason }) => reason.name);
      const record = records[index];
      const nameServers = record ? factsOf(record).nameServers : [];
      const exclusions = { nameserverExclusions, textExclusions: isKept ? [] : textExclusions };
      return (
        findExclusion(exclusions, names, nameServers) ??
        (isKept ? undefined : { by: 'text', exclusion: textExclusions[0] ?? '' })
      );
    });
  }
}

/** A host below a domain may be excluded, and another one not: then the domain is found after all. */
function withdraw(domain: string, ...lists: PreviewedDomain[][]): void {
  for (const list of lists) {
    const at = list.findIndex((one) => one.domain === domain);
    if (at >= 0) list.splice(at, 1);
  }
}
