/** Facets of lists: how many of the domains that match have each value, in one pass over them. */
import { type ValueRow, valueCountOf } from '../../detect/triage/list-totals.ts';
import type { TriageAttribute, TriageFilter, ValueCount } from '../../triage-store.ts';
import type { Database } from '../database.ts';
import type { Condition } from './triage-conditions.ts';
import { TriageSelection } from './triage-selection.ts';

/** Where the values of an attribute come from, besides `domain`. */
interface ValueSource {
  readonly from: string;
  readonly value: string;
  /** A domain may have the same value twice. */
  readonly repeats?: true;
}

const matches = 'join monitor_match on monitor_match.domain = domain.number and named = 1';

const shared = (attribute: string): ValueSource => ({
  from: `, json_each(shared, '$.${attribute}') as one`,
  value: 'one.value',
});

const sources: Readonly<Record<TriageAttribute, ValueSource>> = {
  class: { from: matches, value: "reason ->> 'class'", repeats: true },
  monitor: {
    from: `${matches}
      join (select number as monitor_number, id as monitor_id from monitor where deleted = 0) on monitor_number = monitor`,
    value: 'monitor_id',
  },
  tld: { from: '', value: 'tld' },
  registrar: { from: '', value: "nullif(shared ->> 'registrar', '')" },
  name_server: { from: ', json_each(name_servers) as one', value: 'one.value', repeats: true },
  ip: shared('ip'),
  country: shared('country'),
  certificate: shared('certificate'),
  analytics: shared('analytics'),
};

export class FacetCounts {
  readonly #database: Database;
  readonly #selection: TriageSelection;

  constructor(database: Database) {
    this.#database = database;
    this.#selection = new TriageSelection(database);
  }

  count(
    accountId: string,
    filter: TriageFilter,
    attribute: TriageAttribute,
    { limit, among }: { readonly limit: number; readonly among?: readonly string[] },
  ): { values: readonly ValueCount[]; more: boolean } | 'unknown-monitor' {
    const where = this.#selection.where(accountId, filter);
    if (where === 'unknown-monitor') return where;
    return this.countWhere(where, attribute, { limit, ...(among ? { among } : {}) });
  }

  /** Among the domains for which a condition holds. */
  countWhere(
    where: Condition,
    attribute: TriageAttribute,
    { limit, among }: { readonly limit: number; readonly among?: readonly string[] },
  ): { values: readonly ValueCount[]; more: boolean } {
    const { from, value, repeats = false } = sources[attribute];
    const isWanted = among ? 'value in (select value from json_each(?))' : 'value is not null';
    const found = this.#database
      .prepare(
        `select value, count(*) as domains, avg(risk) as averageRisk from (
           select ${repeats ? 'distinct domain.number, ' : ''}${value} as value, risk_score as risk
           from (select * from domain where ${where.sql}) as domain ${from})
         where ${isWanted} group by value order by domains desc, value limit ?`,
      )
      .all(...where.values, ...(among ? [JSON.stringify(among)] : []), limit + 1) as ValueRow[];
    return { values: found.slice(0, limit).map(valueCountOf), more: found.length > limit };
  }
}
