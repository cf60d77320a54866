/** Gathers the facts that domains are scored by from the stores: a batch of domains takes as many store calls as one domain. */
import { yieldToEventLoop } from '../concurrency/event-loop-slices.ts';
import type { DomainRecord } from '../model/record/domain-record.ts';
import type { RiskFacts, RiskStatus } from '../model/risk/assessment.ts';
import type { Link, SharedLink } from '../model/risk/proximity/link.ts';
import { linksOf } from '../model/risk/proximity/links-of.ts';
import type { Settings } from '../model/settings/settings.ts';
import type { DomainStore } from './domain-store.ts';
import type { NameStore } from './name-store.ts';
import type { BadCount, RiskStore } from './risk-store.ts';

export interface RiskFactsNeeds {
  readonly domains: Pick<DomainStore, 'findRecords' | 'countsOf'>;
  readonly risks: Pick<RiskStore, 'findVerdicts' | 'countBadDomains'>;
  readonly names: Pick<NameStore, 'findSeenMs'>;
  readonly settings: { readonly risk: Pick<Settings['risk'], 'fullAfterSeconds'> };
}

/** For registrable domains in punycode, in their order. */
export async function gatherRiskFacts(
  domains: readonly string[],
  needs: RiskFactsNeeds,
  nowMs: number,
): Promise<readonly RiskFacts[]> {
  const [records, verdicts, namesSeenMs] = await Promise.all([
    needs.domains.findRecords(domains),
    needs.risks.findVerdicts(domains, nowMs),
    needs.names.findSeenMs(domains),
  ]);
  const links = await linksOfAll(domains, records);
  const shared = await shareLinks(domains, links, needs);
  return domains.map((domain, index) => {
    const record = records[index];
    const seenMs = earlierOf(namesSeenMs[index], record?.first_seen);
    return {
      domain,
      record,
      verdicts: verdicts[index] ?? [],
      links: shared[index] ?? [],
      seenMs,
      status: statusAt(seenMs, nowMs, needs.settings.risk.fullAfterSeconds),
      nowMs,
    };
  });
}

/** Domains between two yields to the event loop: a few milliseconds of work. */
const domainsPerSlice = 100;

async function linksOfAll(
  domains: readonly string[],
  records: readonly (DomainRecord | undefined)[],
): Promise<readonly (readonly Link[])[]> {
  const links: (readonly Link[])[] = [];
  for (const [index, domain] of domains.entries()) {
    if (index > 0 && index % domainsPerSlice === 0) await yieldToEventLoop();
    links.push(linksOf(records[index], domain));
  }
  return links;
}

/** The number of domains with a link is needed only for links that a bad domain has. */
async function shareLinks(
  domains: readonly string[],
  links: readonly (readonly Link[])[],
  needs: RiskFactsNeeds,
): Promise<readonly (readonly SharedLink[])[]> {
  const queries = links.flatMap((own, index) =>
    own.map((link) => ({ link, except: domains[index] as string })),
  );
  const bad = queries.length === 0 ? [] : await needs.risks.countBadDomains(queries);
  const counted = await countDomains(
    queries.flatMap(({ link }, index) => ((bad[index] as BadCount).domains > 0 ? link : [])),
    needs,
  );
  let next = 0;
  return links.map((own) =>
    own.map((link) => {
      const { domains: badDomains, weight } = bad[next++] as BadCount;
      return { ...link, domains: counted.get(keyOf(link)), bad: badDomains, weight };
    }),
  );
}

async function countDomains(
  links: readonly Link[],
  { domains }: RiskFactsNeeds,
): Promise<ReadonlyMap<string, number>> {
  const values = new Map<string, { readonly attribute: string; readonly value: string }>();
  for (const link of links) {
    const { attribute, value } = link;
    if (attribute !== undefined) values.set(keyOf(link), { attribute, value });
  }
  const counts = values.size === 0 ? [] : await domains.countsOf([...values.values()]);
  return new Map([...values.keys()].map((key, index) => [key, counts[index] as number]));
}

function keyOf({ attribute, value }: Link): string {
  return `${attribute} ${value}`;
}

function earlierOf(seenMs: number | undefined, firstSeen: string | undefined): number | undefined {
  const times = [seenMs ?? Number.NaN, Date.parse(firstSeen ?? '')].filter((ms) => !Number.isNaN(ms));
  return times.length === 0 ? undefined : Math.min(...times);
}

/** A domain that was never seen counts as new. */
function statusAt(seenMs: number | undefined, nowMs: number, fullAfterSeconds: number): RiskStatus {
  return seenMs !== undefined && nowMs >= seenMs + fullAfterSeconds * 1000 ? 'full' : 'provisional';
}
