/** Found domains on their way to the lists of those who look for them, with what their records say already. */
import type { Clock } from '../../model/clock.ts';
import { factsOf } from '../../model/detect/facts.ts';
import type { FoundDomain } from '../../model/detect/name-search.ts';
import { aheadMs, workAtOnce } from '../../model/detect/watched-work.ts';
import type { DomainFacts } from '../../model/detect/watchlist.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';
import type { DomainRisk } from '../../model/risk/assessment.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { JobStore } from '../../store/job-store.ts';
import type { WatchlistStore } from '../../store/watchlist-store.ts';
import { scoreJobs } from '../scoring/score-jobs.ts';
import type { Turns } from './turns.ts';

export interface ListNeeds {
  readonly watchlist: Pick<WatchlistStore, 'discover' | 'findListed'>;
  readonly domains: Pick<DomainStore, 'findRecords'>;
  readonly jobs: Pick<JobStore, 'enqueue'>;
  readonly clock: Clock;
  /** Shared with whoever follows records: facts that were read before a change must not be written behind it. */
  readonly factTurns: Turns;
  /** Scores of domains whose records have none yet, in the order asked for; without it, lists wait for those of the records. */
  readonly assess?: (domains: readonly string[]) => Promise<readonly DomainRisk[]>;
}

/** As many as become durable together. */
const batchDomains = 250;

/** Takes what is found in any portions; it is on the lists when `finish` resolves. Repeating it adds nothing. */
export class FoundDomains {
  readonly #needs: ListNeeds;
  #waiting: FoundDomain[] = [];
  /** Of all that were taken. */
  matches = 0;
  /** How many were new to an account. */
  discovered = 0;

  constructor(needs: ListNeeds) {
    this.#needs = needs;
  }

  async take(found: readonly FoundDomain[]): Promise<void> {
    for (const one of found) this.#waiting.push(one);
    this.matches += found.length;
    while (this.#waiting.length >= batchDomains) await this.#put(this.#waiting.splice(0, batchDomains));
  }

  async finish(): Promise<void> {
    if (this.#waiting.length > 0) await this.#put(this.#waiting.splice(0));
  }

  async #put(found: readonly FoundDomain[]): Promise<void> {
    this.discovered += await putOnLists(found, this.#needs);
  }
}

function putOnLists(found: readonly FoundDomain[], needs: ListNeeds): Promise<number> {
  const { watchlist, jobs, clock, factTurns } = needs;
  return factTurns.take(async () => {
    const names = [...new Set(found.map(({ domain }) => domain))];
    const listed = await watchlist.findListed(names);
    const nowMs = clock.now();
    const fresh = names.filter((name) => !listed.has(name));
    // Before they are listed: whoever is killed in between finds them fresh again, and a job is there once.
    if (fresh.length > 0) await jobs.enqueue(fresh.flatMap((name) => workAtOnce(name, nowMs)));
    const facts = await factsByName(names, needs);
    const discoveries = found.map(({ accountId, domain, tld, matches }) => {
      return { accountId, domain, tld, discoveredMs: nowMs, matches, facts: facts.get(domain) };
    });
    return (await watchlist.discover(discoveries)).length;
  });
}

/** Whoever is on a list has a score from the beginning, and its record gets one before those of all that are only new. */
async function factsByName(
  names: readonly string[],
  { domains, jobs, clock, assess }: ListNeeds,
): Promise<ReadonlyMap<string, DomainFacts | undefined>> {
  const records = await domains.findRecords(names);
  const unscored = names.filter((_, index) => records[index]?.domain_risk === undefined);
  const risks = new Map<string, DomainRisk>();
  if (assess && unscored.length > 0) {
    const assessed = await assess(unscored);
    for (const [index, risk] of assessed.entries()) risks.set(unscored[index] as string, risk);
    await jobs.enqueue(scoreJobs(unscored, clock.now() - aheadMs));
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
