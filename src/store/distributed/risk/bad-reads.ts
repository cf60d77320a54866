/** Reads the links of known bad domains. */
import type { Link } from '../../../model/risk/proximity/link.ts';
import { linkKey, linkOf } from '../../risk/link-key.ts';
import type { BadCount, BadLinks, RiskStore } from '../../risk-store.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import { linkDigest } from './link-digest.ts';

/** Domains or links per statement. */
const batchSize = 1000;

const none: BadCount = { domains: 0, weight: 0 };

export async function findBadLinks(
  database: PostgresDatabase,
  domains: readonly string[],
): Promise<readonly BadLinks[]> {
  const found = new Map<string, { weight: number; links: Link[] }>();
  for (let from = 0; from < domains.length; from += batchSize) {
    const names = domains.slice(from, from + batchSize);
    const rows = await database.read(
      (sql) => sql<{ name: string; weight: number; key: Buffer }[]>`
        select d.name, d.weight, l.key
        from bad_domain d join bad_link b on b.domain = d.id join risk_link l on l.id = b.link
        where d.name = any(${names}::text[]) order by d.id, b.link`,
    );
    for (const name of names) found.delete(name);
    for (const { name, weight, key } of rows) {
      const bad = found.get(name) ?? { weight, links: [] };
      bad.links.push(linkOf(key.toString()));
      found.set(name, bad);
    }
  }
  return domains.map((domain) => ({ domain, ...(found.get(domain) ?? { weight: 0, links: [] }) }));
}

export async function countBadDomains(
  database: PostgresDatabase,
  asked: Parameters<RiskStore['countBadDomains']>[0],
): Promise<readonly BadCount[]> {
  const counts: BadCount[] = asked.map(() => none);
  for (let from = 0; from < asked.length; from += batchSize) {
    const batch = asked.slice(from, from + batchSize);
    const rows = await database.read(
      (sql) => sql<(BadCount & { number: number })[]>`
        select q.number, l.domains - (own_link.link is not null)::int as domains,
          case when own_link.link is null or own.weight < l.weight then l.weight
            else coalesce((
              select o.weight from bad_link o where o.link = l.id and o.domain <> own.id
              order by o.weight desc limit 1), 0) end as weight
        from unnest(
          ${batch.map(({ link }) => linkDigest(linkKey(link)))}::text[], ${batch.map(({ except }) => except)}::text[]
        ) with ordinality q (digest, left_out, number)
        join risk_link l on l.digest = decode(q.digest, 'hex')
        left join bad_domain own on own.name = q.left_out
        left join bad_link own_link on own_link.link = l.id and own_link.weight = own.weight and own_link.domain = own.id`,
    );
    for (const { number, domains, weight } of rows) counts[from + number - 1] = { domains, weight };
  }
  return counts;
}

/** Those with the greatest weight. */
export async function listBadDomains(
  database: PostgresDatabase,
  link: Link,
  except: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await database.read(
    (sql) => sql<{ name: string }[]>`
      select d.name from bad_link b join bad_domain d on d.id = b.domain
      where b.link = (select id from risk_link where digest = decode(${linkDigest(linkKey(link))}, 'hex'))
        and d.name <> ${except}
      order by b.weight desc, b.domain desc limit ${limit}`,
  );
  return rows.map(({ name }) => name);
}
