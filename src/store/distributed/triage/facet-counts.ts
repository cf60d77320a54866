/** Facets of lists: how many of the domains that match have each value, in one pass over them. */
import { type ValueRow, valueCountOf } from '../../detect/triage/list-totals.ts';
import type { TriageAttribute, TriageFilter, ValueCount } from '../../triage-store.ts';
import type { Statements } from '../detect/account-lock.ts';
import type { Fragment } from '../postgres/database.ts';
import { whereOf } from './triage-selection.ts';

interface Counted {
  readonly limit: number;
  /** Only these values. */
  readonly among?: readonly string[];
}

interface ValueCounts {
  readonly values: readonly ValueCount[];
  readonly more: boolean;
}

export async function countValues(
  sql: Statements,
  accountId: string,
  { attribute, ...filter }: TriageFilter & { readonly attribute: TriageAttribute },
  options: Counted,
): Promise<ValueCounts | 'unknown-monitor'> {
  const where = await whereOf(sql, accountId, filter);
  if (where === 'unknown-monitor') return where;
  return countValuesWhere(sql, where.condition, attribute, options);
}

/** Among the domains for which a condition holds. */
export async function countValuesWhere(
  sql: Statements,
  where: Fragment,
  attribute: TriageAttribute,
  { limit, among }: Counted,
): Promise<ValueCounts> {
  const { from, value, repeats = false } = sourceOf(sql, attribute);
  const isWanted = among ? sql`value = any(${among}::text[])` : sql`value is not null`;
  const rows = await sql<ValueRow[]>`
    select value, count(*) as domains, avg(risk_score)::double precision as "averageRisk" from (
      select ${repeats ? sql`distinct domain.number,` : sql``} ${value} collate "C" as value, domain.risk_score
      from watchlist_domain as domain ${from} where ${where}) as counted
    where ${isWanted} group by value order by domains desc, value limit ${limit + 1}`;
  return { values: rows.slice(0, limit).map(valueCountOf), more: rows.length > limit };
}

/** Where the values of an attribute come from, besides `domain`. */
interface ValueSource {
  readonly from: Fragment;
  readonly value: Fragment;
  /** A domain may have the same value twice. */
  readonly repeats?: true;
}

function sourceOf(sql: Statements, attribute: TriageAttribute): ValueSource {
  const matches = sql`join monitor_match on monitor_match.domain = domain.number and named`;
  switch (attribute) {
    case 'class':
      return { from: matches, value: sql`monitor_match.class`, repeats: true };
    case 'monitor':
      return {
        from: sql`${matches} join monitor on monitor.number = monitor_match.monitor and not monitor.deleted`,
        value: sql`monitor.id`,
      };
    case 'tld':
      return { from: sql``, value: sql`domain.tld` };
    case 'registrar':
      return { from: sql``, value: sql`nullif(domain.shared ->> 'registrar', '')` };
    case 'name_server':
      return {
        from: sql`, unnest(domain.name_servers) as host (name)`,
        value: sql`host.name`,
        repeats: true,
      };
    default:
      return {
        from: sql`, jsonb_array_elements_text(coalesce(domain.shared -> ${attribute}::text, '[]')) as one (value)`,
        value: sql`one.value`,
      };
  }
}
