/** Known bad domains with links, by numeric id. Writes run within the caller's transaction. */
import type { Database } from '../database.ts';

export interface BadDomain {
  readonly id: number;
  readonly weight: number;
}

export interface LinkRow {
  readonly id: number;
  readonly key: string;
}

export function badDomainRows(database: Database) {
  const find = database.prepare('select id, weight from bad_domain where name = ?');
  const add = database.prepare('insert into bad_domain (name, weight) values (?, ?) returning id').pluck();
  const setWeight = database.prepare('update bad_domain set weight = ? where name = ? returning id').pluck();
  const remove = database.prepare('delete from bad_domain where name = ?');
  const links = database.prepare(
    'select link.id, link.key from bad_link join link on link.id = bad_link.link where bad_link.domain = ?',
  );
  const count = database.prepare('update total set bad_domains = bad_domains + ?');
  return {
    find: (name: string) => find.get(name) as BadDomain | undefined,

    linksOf: ({ id }: BadDomain) => links.all(id) as LinkRow[],

    put(name: string, weight: number): number {
      const id = setWeight.get(weight, name) as number | undefined;
      if (id !== undefined) return id;
      count.run(1);
      return add.get(name, weight) as number;
    },

    remove(name: string): void {
      if (remove.run(name).changes > 0) count.run(-1);
    },
  };
}
