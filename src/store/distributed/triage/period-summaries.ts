/** What was found, decided and blocked within a time: one pass over the domains of an account for each figure. */
import { dayMs } from '../../../model/durations.ts';
import {
  type Period,
  type PeriodAttribute,
  type PeriodSummary,
  periodAttributes,
  type ValueCount,
} from '../../triage-store.ts';
import type { Fragment, Transaction } from '../postgres/database.ts';
import { countValuesWhere } from './facet-counts.ts';
import { isIn, isMatchedBy } from './triage-conditions.ts';
import { findMonitors } from './triage-selection.ts';

interface Limits {
  readonly values: number;
  readonly names: number;
  readonly blocked: number;
}

/** Of one day; or of all of them, without a day. */
interface DayRow {
  readonly day: number | null;
  readonly count: number;
  readonly open: number;
  readonly median: number | null;
}

/** All of one moment. */
export async function summarizePeriod(
  sql: Transaction,
  accountId: string,
  period: Period,
  limits: Limits,
): Promise<PeriodSummary | 'unknown-monitor'> {
  const { fromMs, toMs, monitorId } = period;
  const monitors = monitorId === undefined ? undefined : await findMonitors(sql, accountId, [monitorId]);
  if (monitors === 'unknown-monitor') return monitors;
  const ofAccount = sql`domain.account_id = ${accountId}`;
  const scope = monitors ? sql`${ofAccount} and ${isMatchedBy(sql, monitors)}` : ofAccount;
  const found = sql`${scope} and domain.discovered_ms >= ${fromMs} and domain.discovered_ms < ${toMs}`;
  const range = { fromMs, toMs };
  const [foundDays, decidedDays, blockedDays, top, foundNames, blockedDomains] = await Promise.all([
    countDays(
      sql,
      sql`watchlist_domain as domain`,
      { atMs: sql`domain.discovered_ms`, where: found, isFound: true },
      range,
    ),
    countDays(sql, firstDecisions(sql, accountId), { atMs: sql`first.at_ms`, where: scope }, range),
    countDays(sql, blocks(sql), { atMs: sql`escalation.created_ms`, where: scope }, range),
    countTop(sql, found, limits.values),
    listNames(sql, found, limits.names),
    listBlocked(sql, scope, range, limits.blocked),
  ]);
  const [all, decided, blocked] = [foundDays, decidedDays, blockedDays].map(totalOf);
  return {
    found: all?.count ?? 0,
    decided: decided?.count ?? 0,
    blocked: blocked?.count ?? 0,
    open: all?.open ?? 0,
    medianMsToDecision: rounded(decided?.median),
    medianMsToBlock: rounded(blocked?.median),
    days: daily(Math.ceil((toMs - fromMs) / dayMs), {
      found: foundDays,
      decided: decidedDays,
      blocked: blockedDays,
    }),
    top,
    foundNames,
    blockedDomains,
  };
}

const firstDecisions = (sql: Transaction, accountId: string) => sql`
  watchlist_domain as domain join (
    select decided_domain.domain, min(decision.at_ms) as at_ms
    from decided_domain join decision on decision.number = decided_domain.decision
    where decision.account_id = ${accountId} and not undone group by decided_domain.domain
  ) as first on first.domain = domain.number`;

const blocks = (sql: Transaction) => sql`
  watchlist_domain as domain join escalation on escalation.account_id = domain.account_id
    and escalation.domain = domain.number and escalation.type = 'blocked'`;

/** How often it happened on each day and in all, and the median of the time since the discovery. */
function countDays(
  sql: Transaction,
  from: Fragment,
  {
    atMs,
    where,
    isFound = false,
  }: { readonly atMs: Fragment; readonly where: Fragment; readonly isFound?: boolean },
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<readonly DayRow[]> {
  const sinceDiscovery = isFound ? sql`null::bigint` : sql`${atMs} - domain.discovered_ms`;
  return sql<DayRow[]>`
    select day, count(*), count(*) filter (where open) as open,
      percentile_cont(0.5) within group (order by after_ms) as median
    from (
      select ((${atMs} - ${fromMs}) / ${dayMs}::bigint)::int as day, ${sinceDiscovery} as after_ms,
        ${isIn(sql, 'new')} as open
      from ${from} where ${where} and ${atMs} >= ${fromMs} and ${atMs} < ${toMs}) as happened
    group by grouping sets ((day), ())`;
}

async function countTop(
  sql: Transaction,
  found: Fragment,
  limit: number,
): Promise<Record<PeriodAttribute, readonly ValueCount[]>> {
  const counted = await Promise.all(
    periodAttributes.map(async (attribute) => {
      const { values } = await countValuesWhere(sql, found, attribute, { limit });
      return [attribute, values] as const;
    }),
  );
  return Object.fromEntries(counted) as Record<PeriodAttribute, readonly ValueCount[]>;
}

async function listNames(sql: Transaction, found: Fragment, limit: number): Promise<readonly string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from watchlist_domain as domain where ${found}
    order by risk_score desc nulls last, discovered_ms desc, number limit ${limit}`;
  return rows.map(({ name }) => name);
}

function listBlocked(
  sql: Transaction,
  scope: Fragment,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  limit: number,
): Promise<PeriodSummary['blockedDomains']> {
  return sql<{ id: string; domain: string; atMs: number }[]>`
    select domain.id, domain.name as domain, escalation.created_ms as "atMs" from ${blocks(sql)}
    where ${scope} and escalation.created_ms >= ${fromMs} and escalation.created_ms < ${toMs}
    order by escalation.created_ms desc, escalation.number desc limit ${limit}`;
}

const totalOf = (rows: readonly DayRow[]) => rows.find(({ day }) => day === null);
const rounded = (median: number | null | undefined) => (median == null ? undefined : Math.round(median));

function daily(
  days: number,
  counts: Readonly<Record<'found' | 'decided' | 'blocked', readonly DayRow[]>>,
): PeriodSummary['days'] {
  const series = Array.from({ length: days }, () => ({ found: 0, decided: 0, blocked: 0 }));
  for (const kind of ['found', 'decided', 'blocked'] as const)
    for (const { day, count } of counts[kind]) {
      const one = day === null ? undefined : series[day];
      if (one) one[kind] = count;
    }
  return series;
}
