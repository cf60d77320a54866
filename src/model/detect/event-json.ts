/** The JSON of an event, the same in webhooks and in the event stream. */
import { domainToUnicode } from 'node:url';
import type { WatchlistEvent } from './watchlist.ts';

/** Names of the members that only some kinds of events have. */
const wireNames: Readonly<Record<string, string>> = {
  fields: 'changed_fields',
  type: 'escalation_type',
  riskScore: 'risk_score',
  campaignId: 'campaign_id',
  first: 'first_seen',
  last: 'last_seen',
};

/** The id increases within an account; receivers use it to detect duplicates. */
export function eventJson(event: WatchlistEvent): object {
  const { id, kind, atMs, domain, domainId, monitorIds, detail } = event;
  const more = Object.entries(detail).map(([name, value]) => [wireNames[name] ?? name, value]);
  return {
    id,
    event: kind,
    date: new Date(atMs).toISOString(),
    domain: domainToUnicode(domain) || domain,
    punycode: domain,
    watchlist_domain_id: domainId,
    monitor_ids: monitorIds,
    ...Object.fromEntries(more),
  };
}
