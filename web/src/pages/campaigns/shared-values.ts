/** The domains of a campaign and the values that at least two of them share, as a graph. */
import type { CampaignMember } from '../../data/campaign/campaigns.ts';
import { plain } from '../../data/foreign.ts';
import type { SharedValues } from '../investigations/graph/graph-model.ts';

type Member = Pick<CampaignMember, 'domain' | 'risk_score' | 'links'>;

export function sharedValues(members: readonly Member[]): SharedValues {
  const byValue = new Map<string, { link: Member['links'][number]; domains: number[] }>();
  for (const [index, { links }] of members.entries())
    for (const link of links) {
      const key = `${link.by} ${plain(link.value)}`;
      const known = byValue.get(key);
      if (known) known.domains.push(index);
      else byValue.set(key, { link, domains: [index] });
    }
  const shared = [...byValue.values()].filter(({ domains }) => domains.length > 1);
  return {
    domains: members.map(({ domain, risk_score }) => ({ punycode: domain, risk_score })),
    values: shared.map(({ link: { by, value } }) => ({ kind: by, value, service: null })),
    edges: shared.flatMap(({ domains }, value) => domains.map((domain) => [domain, value])),
  };
}
