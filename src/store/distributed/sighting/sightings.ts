/** Counts sightings, and notifies the accounts that have the domain on a list. */
import type { DomainSighting, Sensor } from '../../../model/detect/sightings.ts';
import { resolvedDetail } from '../../detect/rows/sighting-rows.ts';
import type { ClientCount, PastSighting, SightingBatch } from '../../detect/sighting-store.ts';
import { appendEvents, type EventSubject } from '../detect/event-log.ts';
import { lockAffected } from '../detect/record-changes.ts';
import type { Transaction } from '../postgres/database.ts';
import { jsonRows } from '../postgres/json-rows.ts';

export async function addSightings(
  sql: Transaction,
  { sensor, sightings, from, to }: SightingBatch,
  nowMs: number,
): Promise<boolean> {
  if (!(await moveCounted(sql, from, to))) return false;
  const counted = await putSightings(sql, sensor, sightings, true);
  await notify(
    sql,
    sensor,
    sightings.filter(({ domain }) => counted.has(domain)),
    nowMs,
  );
  return true;
}

export async function addPast(
  sql: Transaction,
  past: readonly PastSighting[],
  countedBatch: number,
): Promise<boolean> {
  if (!(await moveCounted(sql, countedBatch, countedBatch))) return false;
  const changed = await sql<{ domain: string }[]>`
    update sighted_domain set counted = true where domain = any(${past.map(({ domain }) => domain)}::text[]) and not counted
    returning domain`;
  const pending = new Set(changed.map(({ domain }) => domain));
  await sql`delete from sighting where domain = any(${[...pending]}::text[])`;
  const seen = past.flatMap(({ domain, past: sighting }) =>
    sighting && pending.has(domain) ? [{ domain, ...sighting }] : [],
  );
  await putSightings(sql, 'passive-dns', seen, false);
  return true;
}

/** Returns the domains that have a sighting by dnstap. */
export async function recordClients(
  sql: Transaction,
  counts: readonly ClientCount[],
): Promise<ReadonlySet<string>> {
  if (counts.length === 0) return new Set();
  // In order of name, so that two that record the same domains wait for one another in one order.
  const rows = counts
    .map((count) => ({ ...count }))
    .sort((one, other) => (one.domain < other.domain ? -1 : 1));
  await sql`select 1 from sighting where domain = any(${rows.map(({ domain }) => domain)}::text[]) and sensor = 'dnstap'
    order by domain for update`;
  const put = await sql<{ domain: string }[]>`
    update sighting set
      clients = case when clients_day > new.day or (clients_day = new.day and sighting.clients > new.clients)
        then sighting.clients else new.clients end,
      clients_day = greatest(clients_day, new.day)
    from json_to_recordset(${jsonRows(rows)}::text::json) as new (domain text, day text, clients bigint)
    where sighting.domain = new.domain and sensor = 'dnstap' returning sighting.domain`;
  return new Set(put.map(({ domain }) => domain));
}

/** True if it was at `from`, and then it is locked until the transaction ends. */
async function moveCounted(sql: Transaction, from: number, to: number): Promise<boolean> {
  await sql`insert into watchlist_counter (name, value) values ('sightings', 0) on conflict do nothing`;
  const { count } =
    await sql`update watchlist_counter set value = ${to} where name = 'sightings' and value = ${from}`;
  return count > 0;
}

/** Returns those that are counted. */
async function putSightings(
  sql: Transaction,
  sensor: Sensor,
  sightings: readonly DomainSighting[],
  countedOnly: boolean,
): Promise<ReadonlySet<string>> {
  if (sightings.length === 0) return new Set();
  const rows = sightings.map(({ domain, firstSeconds, lastSeconds, count }) => ({
    domain,
    first_seconds: firstSeconds,
    last_seconds: lastSeconds,
    count,
  }));
  const put = await sql<{ domain: string }[]>`
    insert into sighting (domain, sensor, first_seconds, last_seconds, count)
    select domain, ${sensor}, first_seconds, last_seconds, count
    from json_to_recordset(${jsonRows(rows)}::text::json) as new (domain text, first_seconds bigint, last_seconds bigint, count bigint)
    where not ${countedOnly} or exists (select 1 from sighted_domain where sighted_domain.domain = new.domain and counted)
    on conflict (domain, sensor) do update set
      first_seconds = least(sighting.first_seconds, excluded.first_seconds),
      last_seconds = greatest(sighting.last_seconds, excluded.last_seconds), count = sighting.count + excluded.count
    returning domain`;
  return new Set(put.map(({ domain }) => domain));
}

/** Once for each decision; what was resolved before the decision does not count. */
async function notify(
  sql: Transaction,
  sensor: Sensor,
  sightings: readonly DomainSighting[],
  nowMs: number,
): Promise<void> {
  if (sightings.length === 0) return;
  const byDomain = new Map(sightings.map((sighting) => [sighting.domain, sighting]));
  await lockAffected(sql, [...byDomain.keys()]);
  const rows = sightings.map(({ domain, lastSeconds }) => ({ domain, last_ms: lastSeconds * 1000 }));
  const subjects = await sql<EventSubject[]>`
    update watchlist_domain as domain set resolved_event_ms = ${nowMs}
    from json_to_recordset(${jsonRows(rows)}::text::json) as seen (domain text, last_ms bigint)
    where domain.name = seen.domain and domain.listed and domain.matched
      and (resolved_event_ms is null or resolved_event_ms < assigned_ms) and seen.last_ms >= coalesce(assigned_ms, 0)
    returning domain.number, domain.id, domain.account_id, domain.name, domain.state`;
  await appendEvents(
    sql,
    subjects
      .sort((one, other) => one.number - other.number)
      .map((subject) => ({
        kind: 'resolved',
        subject,
        atMs: nowMs,
        detail: resolvedDetail(subject.state, sensor, byDomain.get(subject.name) as DomainSighting),
      })),
  );
}
