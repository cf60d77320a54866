/**
 * Known bad domains leave their links for others to be found by. Whatever a domain gains or loses by being known, or by changing while it
 * is, concerns all that share it: each such value becomes a job `score-neighbours`.
 */
import type { RiskFacts } from '../../model/risk/assessment.ts';
import type { Link } from '../../model/risk/link.ts';
import { linksOf } from '../../model/risk/links-of.ts';
import { badVerdictsOf } from '../../model/risk/verdict.ts';
import type { JobStore, NewJob } from '../../store/job-store.ts';
import type { BadLinks, RiskStore } from '../../store/risk-store.ts';

export interface BadLinksNeeds {
  readonly risks: Pick<RiskStore, 'findBadLinks' | 'putBadLinks'>;
  readonly jobs: Pick<JobStore, 'enqueue'>;
}

export const neighboursKind = 'score-neighbours';

/** Longer than it takes to put links. */
const putMs = 60_000;

export async function putBadLinksOf(all: readonly RiskFacts[], needs: BadLinksNeeds): Promise<void> {
  const { risks, jobs } = needs;
  const before = await risks.findBadLinks(all.map(({ domain }) => domain));
  const changed: BadLinks[] = [];
  const touched = new Map<string, Link>();
  for (const [index, facts] of all.entries()) {
    const after = badLinksOf(facts);
    const links = changedLinks(before[index], after);
    if (links.size === 0) continue;
    changed.push(after);
    for (const [key, link] of links) touched.set(key, link);
  }
  const [first] = all;
  if (!first || changed.length === 0) return;
  const jobsAt = (dueMs: number) => neighbourJobs(touched.values(), dueMs);
  // For whoever is killed behind the next line: nobody would ever know which links there were before.
  await jobs.enqueue(jobsAt(first.nowMs + putMs));
  await risks.putBadLinks(changed);
  await jobs.enqueue(jobsAt(first.nowMs));
}

function badLinksOf({ domain, record, verdicts }: RiskFacts): BadLinks {
  const weight = Math.max(0, ...badVerdictsOf(verdicts).map((verdict) => verdict.weight));
  return { domain, weight, links: weight > 0 ? linksOf(record, domain) : [] };
}

/** By a text of each. One that is believed more or less than before has changed all of them. */
function changedLinks(before: BadLinks | undefined, after: BadLinks): ReadonlyMap<string, Link> {
  const [had, has] = [before?.links ?? [], after.links].map(
    (links) => new Map(links.map((link) => [textOf(link), link])),
  ) as [Map<string, Link>, Map<string, Link>];
  if (before?.weight !== after.weight) return new Map([...had, ...has]);
  return new Map([
    ...[...had].filter(([key]) => !has.has(key)),
    ...[...has].filter(([key]) => !had.has(key)),
  ]);
}

function textOf({ kind, attribute = '', value }: Link): string {
  return `${kind} ${attribute} ${value}`;
}

/** Who has a value of a record is known; who has a naming pattern is not, and hears of it when scored for another reason. */
function neighbourJobs(links: Iterable<Link>, dueMs: number): readonly NewJob[] {
  const subjects = Array.from(links, ({ attribute, value }) => attribute && `${attribute} ${value}`);
  const known = subjects.filter((subject): subject is string => subject !== undefined);
  return [...new Set(known)].map((subject) => ({ kind: neighboursKind, subject, dueMs }));
}
