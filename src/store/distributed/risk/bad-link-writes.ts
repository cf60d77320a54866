/**
 * Writes the links of known bad domains. Each link row has the number of its domains and their greatest weight. Rows are locked in phases,
 * each in order: domains, then links by digest, then the totals. So what a link row says is exact while other nodes write, too.
 */
import type { Link } from '../../../model/risk/proximity/link.ts';
import { linkKey, linkOf } from '../../risk/link-key.ts';
import type { BadLinks } from '../../risk-store.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';
import { type BadKeys, type BadLinkPlan, planBadLinks, type StoredLinks } from './bad-link-plan.ts';
import { keyHex, linkDigest } from './link-digest.ts';

interface DomainRow {
  readonly id: number;
  readonly name: string;
  readonly weight: number;
  readonly isNew: boolean;
}

export async function replaceBadLinks(
  database: PostgresDatabase,
  domains: readonly BadLinks[],
): Promise<readonly Link[]> {
  if (domains.length === 0) return [];
  const replaced = domains.map(({ domain, weight, links }) => ({ domain, weight, keys: links.map(linkKey) }));
  const changedKeys = await database.write(async (sql) => {
    const rows = await lockDomains(sql, replaced);
    const plan = planBadLinks(await readStored(sql, rows), replaced);
    const ids = new Map(rows.map(({ name, id }) => [name, id]));
    const newLinks = await writeLinks(sql, plan, ids);
    const newDomains = await writeDomains(sql, plan, rows);
    if (newLinks !== 0 || newDomains !== 0)
      await sql`
        update risk_total set bad_domains = bad_domains + ${newDomains}, bad_links = bad_links + ${newLinks}`;
    return plan.changedKeys;
  });
  return changedKeys.map(linkOf);
}

/** The rows of these domains; they are made for those that are going to have links. */
async function lockDomains(sql: Transaction, replaced: readonly BadKeys[]): Promise<readonly DomainRow[]> {
  const last = new Map(replaced.map((bad) => [bad.domain, bad]));
  const known = await sql<DomainRow[]>`
    select id, name, weight, false as "isNew" from bad_domain where name = any(${[...last.keys()]}::text[])
    order by name for update`;
  const names = new Set(known.map(({ name }) => name));
  const missing = [...last.values()].filter(({ domain, keys }) => keys.length > 0 && !names.has(domain));
  if (missing.length === 0) return known;
  const made = await sql<DomainRow[]>`
    insert into bad_domain as bad (name, weight)
    select name, weight from unnest(
      ${missing.map(({ domain }) => domain)}::text[], ${missing.map(({ weight }) => weight)}::float8[]) m (name, weight)
    order by name collate "C"
    on conflict (name) do update set weight = bad.weight
    returning bad.id, bad.name, bad.weight, bad.xmax = 0 as "isNew"`;
  return [...known, ...made];
}

async function readStored(
  sql: Transaction,
  domains: readonly DomainRow[],
): Promise<ReadonlyMap<string, StoredLinks>> {
  const rows = await sql<{ domain: number; key: Buffer }[]>`
    select b.domain, l.key from bad_link b join risk_link l on l.id = b.link
    where b.domain = any(${domains.map(({ id }) => id)}::bigint[]) order by b.domain, b.link`;
  const links = Map.groupBy(rows, ({ domain }) => domain);
  return new Map(
    domains.map(({ id, name, weight }) => [
      name,
      { weight, keys: (links.get(id) ?? []).map(({ key }) => key.toString()) },
    ]),
  );
}

/** Returns how many links there are more. */
async function writeLinks(
  sql: Transaction,
  { more, removed, added }: BadLinkPlan,
  domainIds: ReadonlyMap<string, number>,
): Promise<number> {
  if (more.size === 0) return 0;
  const byKey = await countLinks(sql, more);
  const columns = (links: BadLinkPlan['added']) =>
    [
      links.map(({ key }) => byKey.get(key)?.id as number),
      links.map(({ weight }) => weight),
      links.map(({ domain }) => domainIds.get(domain) as number),
    ] as const;
  const [goneLinks, goneWeights, goneDomains] = columns(removed);
  await sql`
    delete from bad_link b using unnest(${goneLinks}::bigint[], ${goneWeights}::float8[], ${goneDomains}::bigint[])
      gone (link, weight, domain)
    where b.link = gone.link and b.weight = gone.weight and b.domain = gone.domain`;
  const [newLinks, newWeights, newDomains] = columns(added);
  await sql`
    insert into bad_link (link, weight, domain)
    select * from unnest(${newLinks}::bigint[], ${newWeights}::float8[], ${newDomains}::bigint[])`;
  const ids = [...byKey.values()].map(({ id }) => id);
  const dropped = await sql`delete from risk_link where id = any(${ids}::bigint[]) and domains = 0`;
  await sql`
    update risk_link l set weight = (select max(b.weight) from bad_link b where b.link = l.id)
    where l.id = any(${ids}::bigint[])`;
  return [...byKey.values()].filter(({ isNew }) => isNew).length - dropped.count;
}

/** Changes the number of domains of each link, and makes the missing ones. Ids rise in the order given, locks are in that of the digests. */
async function countLinks(
  sql: Transaction,
  more: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, { readonly id: number; readonly isNew: boolean }>> {
  const keys = [...more.keys()];
  const digests = new Map(keys.map((key) => [linkDigest(key), key]));
  const rows = await sql<{ id: number; digest: string; isNew: boolean }[]>`
    insert into risk_link as link (id, digest, key, domains, weight)
    select id, digest, key, more, 0 from (
      select nextval('risk_link_id') as id, decode(digest, 'hex') as digest, decode(key, 'hex') as key, more
      from unnest(${[...digests.keys()]}::text[], ${keys.map(keyHex)}::text[], ${[...more.values()]}::bigint[])
        given (digest, key, more)) numbered
    order by digest
    on conflict (digest) do update set domains = link.domains + excluded.domains
    returning link.id, encode(link.digest, 'hex') as digest, link.xmax = 0 as "isNew"`;
  return new Map(rows.map(({ id, digest, isNew }) => [digests.get(digest) as string, { id, isNew }]));
}

/** Returns how many bad domains there are more. */
async function writeDomains(
  sql: Transaction,
  { final }: BadLinkPlan,
  rows: readonly DomainRow[],
): Promise<number> {
  const after = (row: DomainRow) => final.get(row.name) as BadKeys;
  const gone = rows.filter((row) => after(row).keys.length === 0);
  const kept = rows.filter((row) => after(row).keys.length > 0 && after(row).weight !== row.weight);
  if (gone.length > 0)
    await sql`delete from bad_domain where id = any(${gone.map(({ id }) => id)}::bigint[])`;
  if (kept.length > 0)
    await sql`
      update bad_domain d set weight = k.weight
      from unnest(${kept.map(({ id }) => id)}::bigint[], ${kept.map((row) => after(row).weight)}::float8[]) k (id, weight)
      where d.id = k.id`;
  return rows.filter(({ isNew }) => isNew).length - gone.length;
}
