/** Puts discovered domains on the lists. */
import { newId } from '../../../model/account/api-key.ts';
import type { DomainState } from '../../../model/detect/watchlist.ts';
import { unicodeOf, unknownFacts } from '../../detect/rows/domain-rows.ts';
import type { Discovery } from '../../watchlist-store.ts';
import { noteChangedLinks } from '../campaign/domain-links.ts';
import type { Transaction } from '../postgres/database.ts';
import { jsonRows } from '../postgres/json-rows.ts';
import { lockAccounts } from './account-lock.ts';
import { factAssignments, factFields, factNames, factTypes } from './fact-fields.ts';
import { updateMemberships } from './memberships.ts';
import { findOwned } from './own-domains.ts';

interface KnownRow {
  readonly number: number;
  readonly account_id: string;
  readonly name: string;
  readonly state: DomainState;
  /** False where no monitor matches it any more. */
  readonly matched: boolean;
}

interface Found {
  readonly discovery: Discovery;
  readonly matches: readonly {
    readonly monitor: number;
    readonly reason: Discovery['matches'][number]['reason'];
  }[];
}

/**
 * Returns those that are new to their account, or were undecided when their last monitor went. Matches of monitors deleted meanwhile do not
 * count.
 */
export async function addDiscoveries(
  sql: Transaction,
  discoveries: readonly Discovery[],
): Promise<readonly Discovery[]> {
  await lockAccounts(
    sql,
    discoveries.map(({ accountId }) => accountId),
  );
  const found = await findMatched(sql, discoveries);
  if (found.length === 0) return [];
  const firsts = firstOfEach(found);
  const known = await findKnown(sql, firsts);
  const [added, back] = [
    firsts.filter((discovery) => !known.has(keyOf(discovery))),
    firsts.filter((discovery) => known.get(keyOf(discovery))?.matched === false),
  ];
  await restoreDomains(
    sql,
    back.map((discovery) => ({ number: known.get(keyOf(discovery))?.number as number, discovery })),
  );
  const numbers = new Map([...known].map(([key, { number }]) => [key, number]));
  for (const [key, number] of await insertDomains(sql, added)) numbers.set(key, number);
  await addMatches(sql, found, numbers);
  return firsts.filter((discovery) => {
    const before = known.get(keyOf(discovery));
    return before === undefined || (!before.matched && before.state === 'new');
  });
}

function keyOf({ accountId, domain }: Pick<Discovery, 'accountId' | 'domain'>): string {
  return `${accountId} ${domain}`;
}

/** With the numbers of their monitors; without own domains. */
async function findMatched(sql: Transaction, discoveries: readonly Discovery[]): Promise<readonly Found[]> {
  const ids = new Set(discoveries.flatMap(({ matches }) => matches.map(({ monitorId }) => monitorId)));
  const rows = await sql<{ number: number; id: string; account_id: string }[]>`
    select number, id, account_id from monitor where id = any(${[...ids]}::text[]) and not deleted`;
  const monitors = new Map(rows.map(({ number, id, account_id }) => [`${account_id} ${id}`, number]));
  const found = discoveries.flatMap((discovery) => {
    const matches = discovery.matches.flatMap(({ monitorId, reason }) => {
      const monitor = monitors.get(`${discovery.accountId} ${monitorId}`);
      return monitor === undefined ? [] : [{ monitor, reason }];
    });
    return matches.length > 0 ? [{ discovery, matches }] : [];
  });
  const own = await findOwned(
    sql,
    found.map(({ discovery }) => discovery),
  );
  return found.filter(({ discovery }) => !own.has(discovery));
}

/** The same domain may have been found several times: the first one counts, the others bring matches. */
function firstOfEach(found: readonly Found[]): readonly Discovery[] {
  const firsts = new Map<string, Discovery>();
  for (const { discovery } of found)
    if (!firsts.has(keyOf(discovery))) firsts.set(keyOf(discovery), discovery);
  return [...firsts.values()];
}

async function findKnown(
  sql: Transaction,
  discoveries: readonly Discovery[],
): Promise<ReadonlyMap<string, KnownRow>> {
  const rows = await sql<KnownRow[]>`
    select number, account_id, name, state, matched from watchlist_domain where (account_id, name) in (
      select * from unnest(${discoveries.map(({ accountId }) => accountId)}::text[],
        ${discoveries.map(({ domain }) => domain)}::text[]))`;
  return new Map(rows.map((row) => [keyOf({ accountId: row.account_id, domain: row.name }), row]));
}

async function insertDomains(
  sql: Transaction,
  discoveries: readonly Discovery[],
): Promise<ReadonlyMap<string, number>> {
  if (discoveries.length === 0) return new Map();
  const rows = discoveries.map(({ accountId, domain, tld, discoveredMs, changedMs, facts }, position) => ({
    position,
    id: newId(),
    account_id: accountId,
    name: domain,
    unicode: unicodeOf(domain),
    tld,
    discovered_ms: discoveredMs,
    changed_ms: changedMs ?? null,
    ...factFields(facts ?? unknownFacts),
  }));
  const columns = sql.unsafe(`id, account_id, name, unicode, tld, discovered_ms, changed_ms, ${factNames}`);
  const inserted = await sql<{ number: number; account_id: string; name: string }[]>`
    insert into watchlist_domain (${columns}) select ${columns}
    from json_to_recordset(${jsonRows(rows)}::text::json) as new (position int, id text, account_id text, name text,
      unicode text, tld text, discovered_ms bigint, changed_ms bigint, ${sql.unsafe(factTypes)})
    order by position returning number, account_id, name`;
  return new Map(
    inserted.map(({ number, account_id, name }) => [keyOf({ accountId: account_id, domain: name }), number]),
  );
}

/** A domain that was forgotten or remembered comes back with its id, and with what was decided about it. */
async function restoreDomains(
  sql: Transaction,
  domains: readonly { readonly number: number; readonly discovery: Discovery }[],
): Promise<void> {
  if (domains.length === 0) return;
  const rows = domains.map(({ number, discovery: { discoveredMs, changedMs, facts } }) => ({
    number,
    discovered_ms: discoveredMs,
    changed_ms: changedMs ?? null,
    ...factFields(facts ?? unknownFacts),
  }));
  await sql`
    update watchlist_domain as domain set matched = true, purge_ms = null,
      discovered_ms = case when state = 'new' then new.discovered_ms else domain.discovered_ms end,
      changed_ms = greatest(domain.changed_ms, new.changed_ms), ${sql.unsafe(factAssignments)}
    from json_to_recordset(${jsonRows(rows)}::text::json) as new (number bigint, discovered_ms bigint, changed_ms bigint,
      ${sql.unsafe(factTypes)})
    where domain.number = new.number`;
  await noteChangedLinks(
    sql,
    domains.map(({ discovery }) => discovery.domain),
  );
}

async function addMatches(
  sql: Transaction,
  found: readonly Found[],
  numbers: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = found.flatMap(({ discovery, matches }) =>
    matches.map(({ monitor, reason }) => ({
      domain: numbers.get(keyOf(discovery)) as number,
      monitor,
      reason: JSON.stringify(reason),
      class: reason.class,
    })),
  );
  const inserted = await sql<{ domain: number }[]>`
    insert into monitor_match (domain, monitor, reason, class) select domain, monitor, reason, class
    from json_to_recordset(${jsonRows(rows)}::text::json) as new (domain bigint, monitor bigint, reason text, class text)
    on conflict do nothing returning domain`;
  const changed = new Set(inserted.map(({ domain }) => domain));
  await updateMemberships(
    sql,
    firstOfEach(found)
      .map((discovery) => ({ number: numbers.get(keyOf(discovery)) as number, atMs: discovery.discoveredMs }))
      .filter(({ number }) => changed.has(number)),
  );
}
