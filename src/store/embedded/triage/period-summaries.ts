/** What was found, decided and blocked within a time: one pass over the domains of an account for each figure. */
import { dayMs } from '../../../model/durations.ts';
import {
  type Period,
  type PeriodAttribute,
  type PeriodSummary,
  periodAttributes,
  type ValueCount,
} from '../../triage-store.ts';
import type { Database } from '../database.ts';
import { FacetCounts } from './facet-counts.ts';
import type { Condition } from './triage-conditions.ts';

interface Limits {
  readonly values: number;
  readonly names: number;
  readonly blocked: number;
}

/** When it happened, and how long after the discovery. */
interface TimedRow {
  readonly atMs: number;
  readonly afterMs: number;
}

interface BlockedRow extends TimedRow {
  readonly id: string;
  readonly domain: string;
}

const firstDecisions = `select decided_domain.domain as decided, min(at_ms) as first_ms
  from decided_domain join decision on decision.number = decided_domain.decision
  where decision.account = ? and undone = 0 group by decided_domain.domain`;

export class PeriodSummaries {
  readonly #database: Database;
  readonly #facets: FacetCounts;
  readonly #monitor;

  constructor(database: Database) {
    this.#database = database;
    this.#facets = new FacetCounts(database);
    this.#monitor = database
      .prepare('select number from monitor where account = ? and id = ? and deleted = 0')
      .pluck();
  }

  summarize(accountId: string, period: Period, limits: Limits): PeriodSummary | 'unknown-monitor' {
    return this.#database.transaction(() => {
      const scope = this.#scope(accountId, period);
      return scope === 'unknown-monitor' ? scope : this.#summarize(accountId, period, { limits, scope });
    })();
  }

  #scope(accountId: string, { monitorId }: Period): Condition | 'unknown-monitor' {
    if (monitorId === undefined) return { sql: 'account = ?', values: [accountId] };
    const monitor = this.#monitor.get(accountId, monitorId) as number | undefined;
    if (monitor === undefined) return 'unknown-monitor';
    const ofMonitor = 'number in (select domain from monitor_match where named = 1 and monitor = ?)';
    return { sql: `account = ? and ${ofMonitor}`, values: [accountId, monitor] };
  }

  #summarize(
    accountId: string,
    { fromMs, toMs }: Period,
    { limits, scope }: { readonly limits: Limits; readonly scope: Condition },
  ): PeriodSummary {
    const found: Condition = {
      sql: `${scope.sql} and discovered_ms >= ? and discovered_ms < ?`,
      values: [...scope.values, fromMs, toMs],
    };
    const times = this.#pluck(
      `select discovered_ms from domain where ${found.sql}`,
      found.values,
    ) as number[];
    const decided = this.#decided(accountId, scope, [fromMs, toMs]);
    const blocked = this.#blocked(scope, [fromMs, toMs]);
    const isOpen = "state = 'new' and listed = 1";
    return {
      found: times.length,
      decided: decided.length,
      blocked: blocked.length,
      open: this.#pluck(
        `select count(*) from domain where ${found.sql} and ${isOpen}`,
        found.values,
      )[0] as number,
      medianMsToDecision: median(decided.map(({ afterMs }) => afterMs)),
      medianMsToBlock: median(blocked.map(({ afterMs }) => afterMs)),
      days: daily(fromMs, toMs, {
        found: times,
        decided: decided.map(({ atMs }) => atMs),
        blocked: blocked.map(({ atMs }) => atMs),
      }),
      top: this.#top(found, limits.values),
      foundNames: this.#pluck(
        `select name from domain where ${found.sql} order by risk_score desc, discovered_ms desc limit ?`,
        [...found.values, limits.names],
      ) as string[],
      blockedDomains: blocked.slice(0, limits.blocked).map(({ id, domain, atMs }) => ({ id, domain, atMs })),
    };
  }

  #decided(accountId: string, scope: Condition, range: readonly [number, number]): readonly TimedRow[] {
    return this.#database
      .prepare(
        `select first_ms as atMs, first_ms - discovered_ms as afterMs
         from domain join (${firstDecisions}) on decided = number
         where ${scope.sql} and first_ms >= ? and first_ms < ?`,
      )
      .all(accountId, ...scope.values, ...range) as TimedRow[];
  }

  #blocked(scope: Condition, range: readonly [number, number]): readonly BlockedRow[] {
    return this.#database
      .prepare(
        `select created_ms as atMs, created_ms - discovered_ms as afterMs, domain.id, domain.name as domain
         from (select * from domain where ${scope.sql}) as domain
           join escalation on escalation.domain = domain.number
         where type = 'blocked' and created_ms >= ? and created_ms < ?
         order by created_ms desc, escalation.number desc`,
      )
      .all(...scope.values, ...range) as BlockedRow[];
  }

  #pluck(sql: string, values: readonly (string | number)[]): readonly unknown[] {
    return this.#database
      .prepare(sql)
      .pluck()
      .all(...values);
  }

  #top(found: Condition, limit: number): Record<PeriodAttribute, readonly ValueCount[]> {
    const counted = periodAttributes.map(
      (attribute) => [attribute, this.#facets.countWhere(found, attribute, { limit }).values] as const,
    );
    return Object.fromEntries(counted) as Record<PeriodAttribute, readonly ValueCount[]>;
  }
}

type Happened = 'found' | 'decided' | 'blocked';

function daily(
  fromMs: number,
  toMs: number,
  times: Readonly<Record<Happened, readonly number[]>>,
): PeriodSummary['days'] {
  const days = Array.from({ length: Math.ceil((toMs - fromMs) / dayMs) }, () => ({
    found: 0,
    decided: 0,
    blocked: 0,
  }));
  for (const kind of ['found', 'decided', 'blocked'] as const)
    for (const ms of times[kind]) {
      const day = days[Math.floor((ms - fromMs) / dayMs)];
      if (day) day[kind] += 1;
    }
  return days;
}

function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  const lower = sorted.length % 2 === 1 ? upper : sorted[middle - 1];
  return upper === undefined || lower === undefined ? undefined : Math.round((lower + upper) / 2);
}
