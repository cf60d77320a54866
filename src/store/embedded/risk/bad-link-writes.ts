/** Writes the links of known bad domains. Each link row has the number of its domains and their greatest weight, kept in the same transaction. */
import { type Database, write } from '../database.ts';
import { badDomainRows } from './bad-domain-rows.ts';

/** A bad domain with the keys of its links. */
export interface BadKeys {
  readonly domain: string;
  readonly weight: number;
  readonly keys: readonly string[];
}

/** Changed links by key, each with the change of its number of domains. */
type Changed = Map<string, { readonly id: number; more: number }>;

export function badLinkWrites(database: Database) {
  const domains = badDomainRows(database);
  const known = database.prepare('select id from link where key = ?').pluck();
  const insert = database
    .prepare('insert into link (key, domains, weight) values (?, 0, 0) returning id')
    .pluck();
  const add = database.prepare('insert into bad_link (link, weight, domain) values (?, ?, ?)');
  const remove = database.prepare('delete from bad_link where link = ? and weight = ? and domain = ?');
  const update = database
    .prepare(
      `update link set domains = domains + :more,
         weight = ifnull((select max(weight) from bad_link where link = :id), 0)
       where id = :id returning domains`,
    )
    .pluck();
  const drop = database.prepare('delete from link where id = ?');
  const count = database.prepare('update total set bad_links = bad_links + ?');

  const linkId = (key: string) => {
    const id = known.get(key) as number | undefined;
    if (id !== undefined) return id;
    count.run(1);
    return insert.get(key) as number;
  };

  const put = ({ domain, weight, keys }: BadKeys, changed: Changed) => {
    const change = (key: string, id: number, more: number) => {
      const link = changed.get(key) ?? { id, more: 0 };
      link.more += more;
      changed.set(key, link);
    };
    const before = domains.find(domain);
    const added = new Set(keys);
    for (const { id, key } of before ? domains.linksOf(before) : []) {
      if (added.has(key) && before?.weight === weight) added.delete(key);
      else {
        remove.run(id, before?.weight, before?.id);
        change(key, id, -1);
      }
    }
    if (keys.length === 0) {
      domains.remove(domain);
      return;
    }
    const domainId = domains.put(domain, weight);
    for (const key of added) {
      const id = changed.get(key)?.id ?? linkId(key);
      add.run(id, weight, domainId);
      change(key, id, 1);
    }
  };

  return {
    /** Gives the keys of the links that a domain gained, lost or has with another weight. */
    replaceBadLinks: (bad: readonly BadKeys[]): Promise<readonly string[]> =>
      write(database, () => {
        const changed: Changed = new Map();
        for (const each of bad) put(each, changed);
        for (const link of changed.values()) {
          if (update.get(link) !== 0) continue;
          drop.run(link.id);
          count.run(-1);
        }
        return [...changed.keys()];
      }),
  };
}
