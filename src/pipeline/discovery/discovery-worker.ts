/** The worker thread that matches names against the terms of monitors. Searches share it, one call at a time. */
import { serveWorkerCalls, transferResult } from '../../concurrency/worker-client.ts';
import { Finder } from '../../model/detect/finder.ts';
import type { FoundDomain, SearchTarget } from '../../model/detect/name-search.ts';
import type { Term } from '../../model/lookalike/match.ts';
import { Matcher } from '../../model/lookalike/matcher.ts';
import { namesOfFeed } from './names-of-feed.ts';

export type SearchId = number;

/** A plan is posted in parts, so that no single message takes long to copy. */
export interface PlanPart {
  readonly terms: readonly Term[];
  readonly targets: readonly SearchTarget[];
  readonly ownDomains: readonly (readonly [accountId: string, domains: readonly string[]])[];
}

/** Found domains per chunk of a result. */
const chunkDomains = 100;

interface Plan {
  readonly terms: Term[];
  readonly targets: SearchTarget[];
  readonly ownDomains: Map<string, readonly string[]>;
}

const plans = new Map<SearchId, Plan>();
const finders = new Map<SearchId, Finder>();
let latest: Matcher | undefined;

const calls = {
  addToPlan(search: SearchId, { terms, targets, ownDomains }: PlanPart): void {
    const plan = plans.get(search) ?? emptyPlan();
    plans.set(search, plan);
    for (const term of terms) plan.terms.push(term);
    for (const target of targets) plan.targets.push(target);
    for (const [account, names] of ownDomains) plan.ownDomains.set(account, names);
  },

  prepare(search: SearchId): void {
    const plan = plans.get(search) ?? emptyPlan();
    plans.delete(search);
    // Most terms are those of the search before.
    latest = new Matcher(plan.terms, latest);
    finders.set(search, new Finder(plan, latest));
  },

  /** Each chunk is the JSON of a list of found domains. */
  find(search: SearchId, lines: Uint8Array): readonly Uint8Array[] {
    const finder = finders.get(search);
    if (!finder) throw new Error('the search is not prepared');
    const chunks = inChunks(finder.find(lines));
    return transferResult(
      chunks,
      chunks.map(({ buffer }) => buffer),
    );
  },

  forget(search: SearchId): void {
    plans.delete(search);
    finders.delete(search);
  },

  namesOfFeed(lines: Uint8Array): Uint8Array {
    const names = namesOfFeed(lines);
    return transferResult(names, [names.buffer]);
  },
};

export type SearchCalls = typeof calls;

serveWorkerCalls(calls);

function emptyPlan(): Plan {
  return { terms: [], targets: [], ownDomains: new Map() };
}

function inChunks(found: readonly FoundDomain[]): readonly Uint8Array<ArrayBuffer>[] {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let from = 0; from < found.length; from += chunkDomains) {
    chunks.push(new TextEncoder().encode(JSON.stringify(found.slice(from, from + chunkDomains))));
  }
  return chunks;
}
