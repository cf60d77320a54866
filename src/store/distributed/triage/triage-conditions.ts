/** Filters of lists as conditions on `watchlist_domain as domain`. */
import type { TriageFilter, TriageList } from '../../triage-store.ts';
import type { Statements } from '../detect/account-lock.ts';
import type { Fragment } from '../postgres/database.ts';

/** When a domain came into the list. */
export function arrivalIn(sql: Statements, list: TriageList): Fragment {
  if (list === 'new') return sql`domain.discovered_ms`;
  if (list === 'changed') return sql`domain.changed_ms`;
  if (list === 'blocked')
    return sql`(select created_ms from escalation where escalation.domain = domain.number and type = 'blocked')`;
  return sql`domain.assigned_ms`;
}

export function isIn(sql: Statements, list: TriageList): Fragment {
  if (list === 'changed')
    return sql`(domain.state = 'watched' and domain.listed and domain.changed_ms > domain.assigned_ms)`;
  if (list === 'blocked')
    // The account is named twice, so that the planner can begin with its escalations.
    return sql`(domain.escalated_ms is not null and exists (select 1 from escalation
      where escalation.account_id = domain.account_id and escalation.domain = domain.number and type = 'blocked'))`;
  // Without a parameter: a partial index is chosen by its condition.
  if (list === 'new') return sql`(domain.state = 'new' and domain.listed)`;
  return list === 'watched'
    ? sql`(domain.state = 'watched' and domain.listed)`
    : sql`(domain.state = 'ignored' and domain.listed)`;
}

/** `monitors`: numbers of the monitors that the filter names. */
export function conditionOf(
  sql: Statements,
  accountId: string,
  filter: TriageFilter,
  monitors: readonly number[] | undefined,
): Fragment {
  const { list, narrowedBy } = filter;
  const conditions = [sql`domain.account_id = ${accountId}`, isIn(sql, list)];
  if (monitors) conditions.push(isMatchedBy(sql, monitors));
  conditions.push(...valueConditions(sql, filter));
  if (narrowedBy) conditions.push(...valueConditions(sql, { ...narrowedBy, list }));
  return conditions.reduce((all, one) => sql`${all} and ${one}`);
}

export function isMatchedBy(sql: Statements, monitors: readonly number[]): Fragment {
  return sql`domain.number in (
    select monitor_match.domain from monitor_match where named and monitor = any(${monitors}::bigint[]))`;
}

function valueConditions(sql: Statements, filter: TriageFilter): readonly Fragment[] {
  const texts = (values: readonly string[]) => sql`${values}::text[]`;
  const conditions: Fragment[] = [];
  const add = <Value>(value: Value | undefined, condition: (value: Value) => Fragment) => {
    if (value !== undefined) conditions.push(condition(value));
  };
  add(
    filter.classes,
    (classes) => sql`exists (select 1 from monitor_match
      where monitor_match.domain = domain.number and named and class = any(${texts(classes)}))`,
  );
  add(
    filter.tlds,
    (tlds) => sql`exists (select 1 from unnest(${texts(tlds)}) as wanted (value)
      where ${isBelow(sql, sql`domain.tld`)})`,
  );
  add(filter.riskRanges, (ranges) => hasRisk(sql, ranges, filter.isUnscored ?? false));
  add(filter.mxExists, (mxExists) => sql`domain.mx_exists = ${mxExists}`);
  add(
    filter.resolvedByUs,
    (resolved) => sql`exists (select 1 from sighting where sighting.domain = domain.name) = ${resolved}`,
  );
  add(
    filter.search,
    (text) => sql`(strpos(domain.name, ${text}) > 0 or strpos(domain.unicode, ${text}) > 0)`,
  );
  add(filter.registrars, (values) => sql`domain.shared ->> 'registrar' = any(${texts(values)})`);
  add(
    filter.nameServers,
    (
      hosts,
    ) => sql`exists (select 1 from unnest(domain.name_servers) as host (name), unnest(${texts(hosts)}) as wanted (value)
      where ${isBelow(sql, sql`host.name`)})`,
  );
  add(filter.addresses, (values) => sql`domain.shared -> 'ip' ?| ${texts(values)}`);
  add(filter.countries, (values) => sql`domain.shared -> 'country' ?| ${texts(values)}`);
  add(filter.certificates, (values) => sql`domain.shared -> 'certificate' ?| ${texts(values)}`);
  add(filter.analytics, (values) => sql`domain.shared -> 'analytics' ?| ${texts(values)}`);
  add(filter.names, (values) => sql`domain.name = any(${texts(values)})`);
  add(filter.assignees, (values) =>
    filter.isUnassigned
      ? sql`(domain.assignee = any(${texts(values)}) or domain.assignee is null)`
      : sql`domain.assignee = any(${texts(values)})`,
  );
  add(filter.ids, (values) => sql`domain.id = any(${texts(values)})`);
  add(filter.arrivedSinceMs, (sinceMs) => sql`${arrivalIn(sql, filter.list)} >= ${sinceMs}`);
  return conditions;
}

/** The wanted value itself, or what ends with a dot and the value. */
function isBelow(sql: Statements, column: Fragment): Fragment {
  return sql`(${column} = wanted.value or right(${column}, length(wanted.value) + 1) = '.' || wanted.value)`;
}

function hasRisk(
  sql: Statements,
  ranges: readonly (readonly [from: number, to: number])[],
  orUnscored: boolean,
): Fragment {
  const [from, to] = [ranges.map(([first]) => first), ranges.map(([, last]) => last)];
  const inRange = sql`exists (
    select 1 from unnest(${from}::double precision[], ${to}::double precision[]) as wanted (first, last)
    where domain.risk_score between first and last)`;
  return orUnscored ? sql`(${inRange} or domain.risk_score is null)` : inRange;
}
