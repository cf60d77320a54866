/** Reads the links of known bad domains. Most counts are for domains that are not bad themselves, and need the link row alone. */
import type { Link } from '../../../model/risk/proximity/link.ts';
import { linkKey, linkOf } from '../../risk/link-key.ts';
import type { BadCount, BadLinks } from '../../risk-store.ts';
import type { Database } from '../database.ts';
import { badDomainRows } from './bad-domain-rows.ts';

export interface LinkQuery {
  readonly link: Link;
  /** A domain that is not counted. */
  readonly except: string;
}

type LinkRow = readonly [index: number, id: number, domains: number, weight: number];

const none: BadCount = { domains: 0, weight: 0 };

export function badReads(database: Database) {
  const domains = badDomainRows(database);
  // Most links have no bad domain: one join skips thousands of them in the time of a few hundred statements.
  const found = database
    .prepare(
      `select wanted.key, link.id, link.domains, link.weight
       from json_each(?) wanted cross join link on link.key = wanted.value`,
    )
    .raw();
  const hasLink = database
    .prepare('select 1 from bad_link where link = ? and weight = ? and domain = ?')
    .pluck();
  const others = database
    .prepare('select weight from bad_link where link = ? and domain <> ? order by weight desc limit 1')
    .pluck();
  const some = database
    .prepare(
      `select bad_domain.name from bad_link join bad_domain on bad_domain.id = bad_link.domain
       where bad_link.link = (select id from link where key = ?) and bad_domain.name <> ?
       order by bad_link.weight desc, bad_link.domain desc limit ?`,
    )
    .pluck();

  return {
    linksOf(domain: string): BadLinks {
      const bad = domains.find(domain);
      if (!bad) return { domain, weight: 0, links: [] };
      return { domain, weight: bad.weight, links: domains.linksOf(bad).map(({ key }) => linkOf(key)) };
    },

    count(queries: readonly LinkQuery[]): readonly BadCount[] {
      const counts = queries.map(() => none);
      const keys = JSON.stringify(queries.map(({ link }) => linkKey(link)));
      const known = new Map<string, ReturnType<typeof domains.find>>();
      const badDomain = (name: string) => {
        if (!known.has(name)) known.set(name, domains.find(name));
        return known.get(name);
      };
      for (const [index, id, count, weight] of found.all(keys) as LinkRow[]) {
        const own = badDomain((queries[index] as LinkQuery).except);
        if (!own || !hasLink.get(id, own.weight, own.id)) counts[index] = { domains: count, weight };
        else if (own.weight < weight) counts[index] = { domains: count - 1, weight };
        else counts[index] = { domains: count - 1, weight: (others.get(id, own.id) as number) ?? 0 };
      }
      return counts;
    },

    list: (link: Link, except: string, limit: number) => some.all(linkKey(link), except, limit) as string[],
  };
}
