/** Views for analysts, who ask ClickHouse in SQL. They read plain columns, and never the tables of a batch on its way. */
import { type Dialect, rowKinds, tables } from './sql.ts';

/** Two digits for the byte that begins keys of owner names among the distinct texts. */
const ownerKeys = '00';

/**
 * `rrsets` has a row for each RRset, `newly_observed` one for each name, with the number of the batch in which it was seen first: a greater one is
 * newer. `key` has the labels of the owner from the top down, each after its length, so that conditions on it use the index.
 */
export function viewStatements(dialect: Dialect): readonly string[] {
  const { merge } = dialect;
  const part = (index: number) => `splitByChar('\\t', text)[${index}]`;
  const seen = `toDateTime(${merge('min', 'first')}) as first_seen, toDateTime(${merge('max', 'last')}) as last_seen,
      ${merge('sum', 'count')} as observations, ${merge('min', 'seq')} as batch`;
  return [
    `create view if not exists rrsets as
      select key, ${part(1)} as owner, ${part(2)} as rrtype, ${part(3)} as zone,
      arraySlice(splitByChar('\\t', text), 4) as rdata, ${seen}
      from ${tables.rows} where kind = ${rowKinds.forward} group by key, text`,
    `create view if not exists newly_observed as
      select text as owner, groupUniqArray(type) as types, ${seen}
      from ${tables.rows} where kind = ${rowKinds.distinct} and substring(key, 1, 1) = unhex('${ownerKeys}') group by text`,
  ];
}
