/** Lookalikes for the pages of Triage: of several classes and scores, some of which share a name server. */
import type { LookalikeMatch } from '../../../src/model/lookalike/match.ts';
import type { DomainRecord } from '../../../src/model/record/domain-record.ts';
import { watchTerm } from '../fixtures/watch-domains.ts';
import type { TestServer } from '../server/test-server.ts';

type Reason = Omit<LookalikeMatch, 'term'>;

const term = 'cloudpantry';

/** How the term is varied, in rotation. */
const variations: readonly (readonly [Reason['class'], string, Reason['steps']])[] = [
  ['combosquat', 'cloudpantry', []],
  ['omission', 'cloudpatry', [{ class: 'omission', at: 7, removed: 'n', inserted: '' }]],
  ['transposition', 'cluodpantry', [{ class: 'transposition', at: 2, removed: 'ou', inserted: 'uo' }]],
];

export interface FillOptions {
  /** The first ones share a name server. */
  readonly inCluster?: number;
  readonly record?: (index: number) => Partial<DomainRecord>;
}

/** Their names, the riskiest first, which is the order of the page. */
export async function fillWatchlist(
  server: TestServer,
  accountId: string,
  count: number,
  options: FillOptions = {},
): Promise<readonly string[]> {
  const { inCluster = 0, record = () => ({}) } = options;
  const monitorId = await watchTerm(server.monitors, accountId, server.clock.now(), term);
  const discoveries = Array.from({ length: count }, (_, index) => {
    const [kind, text, steps] = variations[index % variations.length] as (typeof variations)[number];
    const domain = `${text}-${index}.example`;
    const reason: Reason = {
      class: kind,
      steps,
      name: domain,
      from: 0,
      to: text.length,
      text,
      distance: steps.length,
    };
    const nameServers = [index < inCluster ? 'ns1.fastpanel.example' : `ns1.own-${index}.example`];
    return {
      accountId,
      domain,
      tld: 'example',
      discoveredMs: server.clock.now() - index * 60_000,
      matches: [{ monitorId, reason }],
      facts: {
        active: true,
        mxExists: index % 3 === 0,
        nameServers,
        riskScore: Math.max(1, 99 - index),
        riskStatus: 'full' as const,
        riskComponents: undefined,
        shared: { registrar: 'Ember & Ash', ip: [], country: [], certificate: [], analytics: [] },
      },
    };
  });
  await server.domains.upsert(
    discoveries.map(({ domain, facts }, index) => ({
      record: { domain, name_server: facts.nameServers.map((host) => ({ host })), ...record(index) },
      source: 'test',
      seenMs: server.clock.now(),
    })),
  );
  await server.watchlist.addDiscoveries(discoveries);
  return discoveries.map(({ domain }) => domain);
}
