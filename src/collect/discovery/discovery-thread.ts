/** The thread that matches: names come in, a few thousand at a time, and what somebody wants to hear of goes out. */
import { parentPort } from 'node:worker_threads';
import { Finder } from '../../model/detect/finder.ts';
import type { FoundDomain, Wanted } from '../../model/detect/name-search.ts';
import type { Term } from '../../model/lookalike/match.ts';
import { Matcher } from '../../model/lookalike/matcher.ts';
import { namesOfFeed } from './names-of-feed.ts';
import type { SearchAnswer, SearchId, SearchJob, SearchResults } from './search-jobs.ts';

/** Found domains that are handed over together. */
const partDomains = 100;

interface Plan {
  readonly terms: Term[];
  readonly wanted: Wanted[];
  readonly ownDomains: Map<string, readonly string[]>;
}

const plans = new Map<SearchId, Plan>();
const finders = new Map<SearchId, Finder>();
let latest: Matcher | undefined;

parentPort?.on('message', ({ id, job }: { id: number; job: SearchJob }) => {
  try {
    answer({ id, result: perform(job) });
  } catch (error) {
    answer({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});

function answer(message: SearchAnswer): void {
  const parts = 'result' in message && Array.isArray(message.result) ? message.result : [];
  parentPort?.postMessage(
    message,
    parts.map((part: Uint8Array<ArrayBuffer>) => part.buffer),
  );
}

function perform(job: SearchJob): SearchResults[keyof SearchResults] {
  switch (job.kind) {
    case 'plan':
      return take(job);
    case 'prepare':
      return prepare(job.search);
    case 'find':
      return inParts(finderOf(job.search).find(job.lines));
    case 'forget':
      plans.delete(job.search);
      finders.delete(job.search);
      return undefined;
    case 'names':
      return namesOfFeed(job.lines);
  }
}

function take({ search, terms, wanted, ownDomains }: Extract<SearchJob, { kind: 'plan' }>): undefined {
  let plan = plans.get(search);
  if (!plan) {
    plan = { terms: [], wanted: [], ownDomains: new Map() };
    plans.set(search, plan);
  }
  for (const term of terms) plan.terms.push(term);
  for (const one of wanted) plan.wanted.push(one);
  for (const [account, names] of ownDomains) plan.ownDomains.set(account, names);
}

function prepare(search: SearchId): undefined {
  const plan = plans.get(search) ?? { terms: [], wanted: [], ownDomains: new Map() };
  plans.delete(search);
  // Most terms are those of the search before.
  latest = new Matcher(plan.terms, latest);
  finders.set(search, new Finder(plan, latest));
}

function finderOf(search: SearchId): Finder {
  const finder = finders.get(search);
  if (!finder) throw new Error('the search is not prepared');
  return finder;
}

function inParts(found: readonly FoundDomain[]): readonly Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < found.length; at += partDomains) {
    parts.push(new TextEncoder().encode(JSON.stringify(found.slice(at, at + partDomains))));
  }
  return parts;
}
