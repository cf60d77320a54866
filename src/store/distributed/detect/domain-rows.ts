/**
 * Reads listed domains: their rows, the monitors they name with the reasons of the matches, their escalations and their sightings, all of
 * one moment.
 */
import type { WatchlistDomain, WatchlistId } from '../../../model/detect/watchlist.ts';
import { type DomainRow, domainOf } from '../../detect/rows/domain-rows.ts';
import { type EscalationRow, escalationOf } from '../../detect/rows/escalation-rows.ts';
import { sensorSighting } from '../../detect/rows/sighting-rows.ts';
import type { Statements } from './account-lock.ts';

type WholeRow = DomainRow & {
  /** JSON, one text for each. */
  readonly match_texts: readonly string[];
  readonly escalation_texts: readonly string[];
  readonly sighting_texts: readonly string[];
};

/** Those of the numbers that are domains of the account, in the same order. */
export async function listDomainsOf(
  sql: Statements,
  accountId: string,
  numbers: readonly number[],
): Promise<readonly WatchlistDomain[]> {
  if (numbers.length === 0) return [];
  const rows = await sql<WholeRow[]>`
    select domain.*,
      array(select json_build_object('monitorId', monitor.id, 'reason', reason::json)::text
        from monitor_match join monitor on monitor.number = monitor
        where domain = domain.number and named and not deleted order by monitor) as match_texts,
      array(select row_to_json(escalation)::text from escalation
        where escalation.domain = domain.number order by number) as escalation_texts,
      array(select json_build_object('sensor', sensor, 'firstSeconds', first_seconds, 'lastSeconds', last_seconds, 'count', count,
          'day', clients_day, 'clients', clients)::text
        from sighting where sighting.domain = domain.name order by sensor collate "C") as sighting_texts
    from watchlist_domain as domain
    where number = any(${numbers}::bigint[]) and account_id = ${accountId}`;
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  return numbers.flatMap((number) => {
    const row = byNumber.get(number);
    return row ? [wholeDomainOf(row)] : [];
  });
}

function wholeDomainOf(row: WholeRow): WatchlistDomain {
  const escalations = row.escalation_texts.map((text) =>
    escalationOf({ ...(JSON.parse(text) as EscalationRow), domain_id: row.id }),
  );
  return domainOf(row, {
    matches: row.match_texts.map((text) => JSON.parse(text)),
    escalations,
    sightings: row.sighting_texts.map((text) => sensorSighting(JSON.parse(text))),
  });
}

/** Without duplicates, in the order of the request. A domain that no monitor matches any more is unknown. */
export async function findNumbers(
  sql: Statements,
  accountId: string,
  ids: readonly WatchlistId[],
): Promise<{ readonly numbers: readonly number[] } | { readonly unknownIds: readonly WatchlistId[] }> {
  const wanted = [...new Set(ids)];
  const rows = await sql<{ id: string; number: number }[]>`
    select id, number from watchlist_domain where id = any(${wanted}::text[]) and account_id = ${accountId} and matched`;
  const byId = new Map(rows.map(({ id, number }) => [id, number]));
  const unknownIds = wanted.filter((id) => !byId.has(id));
  return unknownIds.length > 0 ? { unknownIds } : { numbers: wanted.flatMap((id) => byId.get(id) ?? []) };
}
