/** Puts found domains on the watchlists of the accounts whose monitors matched, with the facts of their records. */

import type { Mutex } from '../../concurrency/mutex.ts';
import type { Clock } from '../../model/clock.ts';
import { factsOf } from '../../model/detect/facts.ts';
import type { FoundDomain } from '../../model/detect/name-search.ts';
import { immediateJobs, priorityMs } from '../../model/detect/watched-jobs.ts';
import type { DomainFacts } from '../../model/detect/watchlist.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';
import type { DomainRisk } from '../../model/risk/assessment.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { JobStore } from '../../store/job-store.ts';
import type { WatchlistStore } from '../../store/watchlist-store.ts';
import { scoreJobs } from '../scoring/score-jobs.ts';
import { findLastChanges } from './last-change.ts';

export interface RecordDiscoveriesNeeds {
  readonly watchlist: Pick<WatchlistStore, 'addDiscoveries' | 'findListedDomains'>;
  readonly domains: Pick<DomainStore, 'findRecords' | 'listChanges'>;
  readonly jobs: Pick<JobStore, 'enqueue'>;
  readonly clock: Clock;
  /** Shared with `followRecords`: facts that were read before a change must not be written after it. */
  readonly factsMutex: Mutex;
  /** Scores for domains whose records have none yet, in the same order; without it, lists wait for the scores of the records. */
  readonly assess?: (domains: readonly string[]) => Promise<readonly DomainRisk[]>;
}

/** Recorded in one transaction. */
const batchDomains = 250;

/** Buffers found domains; all are on the lists when `finish` resolves. Idempotent. */
export class DiscoveryRecorder {
  readonly #needs: RecordDiscoveriesNeeds;
  #waiting: FoundDomain[] = [];
  /** Matched domains, counted per account. */
  matches = 0;
  /** How many were new to an account. */
  discovered = 0;

  constructor(needs: RecordDiscoveriesNeeds) {
    this.#needs = needs;
  }

  async add(found: readonly FoundDomain[]): Promise<void> {
    for (const one of found) this.#waiting.push(one);
    this.matches += found.length;
    while (this.#waiting.length >= batchDomains) await this.#record(this.#waiting.splice(0, batchDomains));
  }

  async finish(): Promise<void> {
    if (this.#waiting.length > 0) await this.#record(this.#waiting.splice(0));
  }

  async #record(found: readonly FoundDomain[]): Promise<void> {
    this.discovered += await recordBatch(found, this.#needs);
  }
}

function recordBatch(found: readonly FoundDomain[], needs: RecordDiscoveriesNeeds): Promise<number> {
  const { watchlist, jobs, domains, clock, factsMutex } = needs;
  return factsMutex.runExclusive(async () => {
    const names = [...new Set(found.map(({ domain }) => domain))];
    const listed = await watchlist.findListedDomains(names);
    const nowMs = clock.now();
    const fresh = names.filter((name) => !listed.has(name));
    // Before they are listed: after a crash in between they are fresh again, and enqueueing is idempotent.
    if (fresh.length > 0) await jobs.enqueue(fresh.flatMap((name) => immediateJobs(name, nowMs)));
    const facts = await factsByName(names, needs);
    // Also of names that another account has on its lists: they are new to this one.
    const changes = await findLastChanges(
      names.filter((name) => facts.get(name)),
      domains,
    );
    const discoveries = found.map(({ accountId, domain, tld, matches }) => {
      const changedMs = changes.get(domain);
      const known = { facts: facts.get(domain), ...(changedMs === undefined ? {} : { changedMs }) };
      return { accountId, domain, tld, discoveredMs: nowMs, matches, ...known };
    });
    return (await watchlist.addDiscoveries(discoveries)).length;
  });
}

/** A listed domain has a score from the start, and its record is scored ahead of domains that are merely new. */
async function factsByName(
  names: readonly string[],
  { domains, jobs, clock, assess }: RecordDiscoveriesNeeds,
): Promise<ReadonlyMap<string, DomainFacts | undefined>> {
  const records = await domains.findRecords(names);
  const unscored = names.filter((_, index) => records[index]?.domain_risk === undefined);
  const risks = new Map<string, DomainRisk>();
  if (assess && unscored.length > 0) {
    const assessed = await assess(unscored);
    for (const [index, risk] of assessed.entries()) risks.set(unscored[index] as string, risk);
    await jobs.enqueue(scoreJobs(unscored, clock.now() - priorityMs));
  }
  return new Map(
    names.map((domain, index) => [domain, knownFacts(domain, records[index], risks.get(domain))]),
  );
}

function knownFacts(
  domain: string,
  record: DomainRecord | undefined,
  risk: DomainRisk | undefined,
): DomainFacts | undefined {
  if (risk) return factsOf({ ...(record ?? { domain }), domain_risk: risk });
  return record && factsOf(record);
}
