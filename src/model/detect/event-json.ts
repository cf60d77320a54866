/** An event as the world is told of it, by webhook and by stream alike. */
import { domainToUnicode } from 'node:url';
import type { WatchlistEvent } from './watchlist.ts';

/** What is told of one kind of event besides what is told of all. */
const wireNames: Readonly<Record<string, string>> = {
  fields: 'changed_fields',
  type: 'escalation_type',
  riskScore: 'risk_score',
};

/** The id rises from event to event of an account; by it one that is told twice is known. */
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
