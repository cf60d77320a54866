/**
 * Indexes the links (shared attributes) of known bad domains, by which the proximity of others is scored. When a domain becomes or stops being
 * known as bad, or changes while it is, all domains that share its links are affected: each such value becomes a job `score-neighbours`.
 */
import { minuteMs } from '../../model/durations.ts';
import type { RiskFacts } from '../../model/risk/assessment.ts';
import type { Link } from '../../model/risk/proximity/link.ts';
import { linksOf } from '../../model/risk/proximity/links-of.ts';
import { badVerdictsOf } from '../../model/risk/verdict.ts';
import type { JobStore, NewJob } from '../../store/job-store.ts';
import type { BadLinks, RiskStore } from '../../store/risk-store.ts';

export interface BadLinksNeeds {
  readonly risks: Pick<RiskStore, 'findBadLinks' | 'replaceBadLinks'>;
  readonly jobs: Pick<JobStore, 'enqueue'>;
}

export const neighboursKind = 'score-neighbours';

/** Longer than writing the links takes. */
const putMs = minuteMs;

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
  // First with a delay: after a crash behind the next line, no record is left of which links there were before.
  await jobs.enqueue(jobsAt(first.nowMs + putMs));
  await risks.replaceBadLinks(changed);
  await jobs.enqueue(jobsAt(first.nowMs));
}

function badLinksOf({ domain, record, verdicts }: RiskFacts): BadLinks {
  const weight = Math.max(0, ...badVerdictsOf(verdicts).map((verdict) => verdict.weight));
  return { domain, weight, links: weight > 0 ? linksOf(record, domain) : [] };
}

/** Keyed by text. A different weight changes all links of the domain. */
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

/** Domains that share an attribute can be searched; those that share a naming pattern cannot, and are rescored for another reason. */
function neighbourJobs(links: Iterable<Link>, dueMs: number): readonly NewJob[] {
  const subjects = Array.from(links, ({ attribute, value }) => attribute && `${attribute} ${value}`);
  const known = subjects.filter((subject): subject is string => subject !== undefined);
  return [...new Set(known)].map((subject) => ({ kind: neighboursKind, subject, dueMs }));
}
