/** Filters of lists as SQL conditions on `domain`. */
import type { TriageFilter, TriageList } from '../../triage-store.ts';
import { isSighted } from '../sighting/sighting-rows.ts';

type Value = string | number;

export interface Condition {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** When a domain came into the list. */
export const arrivals: Readonly<Record<TriageList, string>> = {
  new: 'discovered_ms',
  changed: 'changed_ms',
  watched: 'assigned_ms',
  ignored: 'assigned_ms',
  blocked: `(select created_ms from escalation where escalation.domain = domain.number and type = 'blocked')`,
};

export const memberships: Readonly<Record<TriageList, string>> = {
  new: "state = 'new' and listed = 1",
  changed: "state = 'watched' and listed = 1 and changed_ms > assigned_ms",
  watched: "state = 'watched' and listed = 1",
  ignored: "state = 'ignored' and listed = 1",
  blocked:
    "escalated_ms is not null and exists (select 1 from escalation where escalation.domain = domain.number and type = 'blocked')",
};

const isAny = (column: string) => `${column} in (select value from json_each(?))`;
const hasShared = (attribute: string) =>
  `exists (select 1 from json_each(shared, '$.${attribute}') as one where one.value in (select value from json_each(?)))`;
/** The value itself, or what ends with a dot and the value. */
const isBelow = (column: string) =>
  `(${column} = wanted.value or substr(${column}, -length(wanted.value) - 1) = '.' || wanted.value)`;

/** `monitors`: numbers of the monitors that the filter names. */
export function conditionsOf(
  accountId: string,
  filter: TriageFilter,
  monitors: readonly number[] | undefined,
): readonly Condition[] {
  const { list, narrowedBy } = filter;
  const conditions: Condition[] = [{ sql: `account = ? and ${memberships[list]}`, values: [accountId] }];
  if (monitors) {
    const ofMonitors = 'select domain from monitor_match where named = 1 and';
    const sql = `number in (${ofMonitors} monitor in (select value from json_each(?)))`;
    conditions.push({ sql, values: [JSON.stringify(monitors)] });
  }
  conditions.push(...valueConditions(filter));
  if (narrowedBy) conditions.push(...valueConditions({ ...narrowedBy, list }));
  return conditions;
}

function valueConditions(filter: TriageFilter): readonly Condition[] {
  const conditions: Condition[] = [];
  const add = (sql: string, ...values: readonly (Value | undefined)[]) => {
    const given = values.filter((value) => value !== undefined);
    if (given.length === values.length) conditions.push({ sql, values: given });
  };
  add(hasClass, json(filter.classes));
  add(`exists (select 1 from json_each(?) as wanted where ${isBelow('tld')})`, json(filter.tlds));
  add(hasRisk(filter.isUnscored ?? false), json(filter.riskRanges));
  add('mx_exists = ?', flag(filter.mxExists));
  add(`${isSighted} = ?`, flag(filter.resolvedByUs));
  add('(instr(name, ?) > 0 or instr(unicode, ?) > 0)', filter.search, filter.search);
  add(isAny("shared ->> 'registrar'"), json(filter.registrars));
  add(hasNameServer, json(filter.nameServers));
  add(hasShared('ip'), json(filter.addresses));
  add(hasShared('country'), json(filter.countries));
  add(hasShared('certificate'), json(filter.certificates));
  add(hasShared('analytics'), json(filter.analytics));
  add(isAny('name'), json(filter.names));
  add(`(${isAny('assignee')} ${filter.isUnassigned ? 'or assignee is null' : ''})`, json(filter.assignees));
  add(isAny('id'), json(filter.ids));
  add(`${arrivals[filter.list]} >= ?`, filter.arrivedSinceMs);
  return conditions;
}

const hasClass = `exists (select 1 from monitor_match where monitor_match.domain = domain.number and named = 1
  and ${isAny("reason ->> 'class'")})`;

const hasNameServer = `exists (
  select 1 from json_each(name_servers) as host, json_each(?) as wanted where ${isBelow('host.value')})`;

function hasRisk(orUnscored: boolean): string {
  const inRange = 'exists (select 1 from json_each(?) where risk_score between value ->> 0 and value ->> 1)';
  return orUnscored ? `(${inRange} or risk_score is null)` : inRange;
}

function flag(value: boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

function json(values: readonly unknown[] | undefined): string | undefined {
  return values && JSON.stringify(values);
}
