/** Found domains on their way to the lists of those who look for them, with what their records say already. */
import type { Clock } from '../../model/clock.ts';
import { factsOf } from '../../model/detect/facts.ts';
import type { FoundDomain } from '../../model/detect/name-search.ts';
import { workAtOnce } from '../../model/detect/watched-work.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { JobStore } from '../../store/job-store.ts';
import type { WatchlistStore } from '../../store/watchlist-store.ts';
import type { Turns } from './turns.ts';

export interface ListNeeds {
  readonly watchlist: Pick<WatchlistStore, 'discover' | 'findListed'>;
  readonly domains: Pick<DomainStore, 'findRecords'>;
  readonly jobs: Pick<JobStore, 'enqueue'>;
  readonly clock: Clock;
  /** Shared with whoever follows records: facts that were read before a change must not be written behind it. */
  readonly factTurns: Turns;
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
  const { watchlist, domains, jobs, clock, factTurns } = needs;
  return factTurns.take(async () => {
    const names = [...new Set(found.map(({ domain }) => domain))];
    const listed = await watchlist.findListed(names);
    const nowMs = clock.now();
    const fresh = names.filter((name) => !listed.has(name));
    // Before they are listed: whoever is killed in between finds them fresh again, and a job is there once.
    if (fresh.length > 0) await jobs.enqueue(fresh.flatMap((name) => workAtOnce(name, nowMs)));
    const records = await domains.findRecords(names);
    const facts = new Map(names.map((name, index) => [name, records[index] && factsOf(records[index])]));
    const discoveries = found.map(({ accountId, domain, tld, matches }) => {
      return { accountId, domain, tld, discoveredMs: nowMs, matches, facts: facts.get(domain) };
    });
    return (await watchlist.discover(discoveries)).length;
  });
}
