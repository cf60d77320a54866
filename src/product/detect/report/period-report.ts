/** The report of a period: what was found, decided and blocked, and how long it took. */
import type { Caller } from '../../../model/account/account.ts';
import { dayMs } from '../../../model/durations.ts';
import { findDayMs } from '../../../model/instant.ts';
import { fieldProblem } from '../../../model/problem.ts';
import type { DomainStore } from '../../../store/domain-store.ts';
import type { PeriodSummary, TriageStore } from '../../../store/triage-store.ts';
import { noSuchMonitor } from '../monitors.ts';

export interface ReportNeeds {
  readonly triage: Pick<TriageStore, 'summarizePeriod'>;
  readonly domains: Pick<DomainStore, 'findRecords'>;
}

export interface ReportRequest {
  readonly monitor?: string;
  /** Days (UTC), as `2026-10-01`; `to` is not part of it. By default the last 30 days. */
  readonly from?: string;
  readonly to?: string;
}

export interface PeriodReport extends PeriodSummary {
  readonly fromMs: number;
  readonly toMs: number;
  /** The networks that most of the found domains are hosted in. */
  readonly networks: readonly { readonly value: string; readonly domains: number }[];
  /** Of how many domains, those with the highest risk, the networks were counted. */
  readonly networksOf: number;
}

const usualDays = 30;
const daysMax = 366;
const limits = { values: 10, names: 1000, blocked: 48 } as const;
/** Records are read in pieces, so that other requests come between. */
const pieceDomains = 100;

export async function reportPeriod(
  { account }: Caller,
  request: ReportRequest,
  needs: ReportNeeds,
  nowMs: number,
): Promise<PeriodReport> {
  const { fromMs, toMs } = readPeriod(request, nowMs);
  const { monitor: monitorId } = request;
  const period = { fromMs, toMs, ...(monitorId === undefined ? {} : { monitorId }) };
  const summary = await needs.triage.summarizePeriod(account.id, period, limits);
  if (summary === 'unknown-monitor') throw noSuchMonitor();
  const networks = await countNetworks(summary.foundNames, needs);
  return { ...summary, fromMs, toMs, networks, networksOf: summary.foundNames.length };
}

function readPeriod({ from, to }: ReportRequest, nowMs: number): { fromMs: number; toMs: number } {
  const toMs = to === undefined ? (Math.floor(nowMs / dayMs) + 1) * dayMs : dayOf('to', to);
  const fromMs = from === undefined ? toMs - usualDays * dayMs : dayOf('from', from);
  if (fromMs >= toMs) throw fieldProblem('invalid-parameters', 'from', 'must be earlier than to');
  if (toMs - fromMs > daysMax * dayMs)
    throw fieldProblem('invalid-parameters', 'from', `must be at most ${daysMax} days before to`);
  return { fromMs, toMs };
}

function dayOf(field: string, text: string): number {
  const ms = findDayMs(text);
  if (ms === undefined) throw fieldProblem('invalid-parameters', field, 'must be a day as 2026-10-01');
  return ms;
}

async function countNetworks(
  names: readonly string[],
  { domains }: Pick<ReportNeeds, 'domains'>,
): Promise<PeriodReport['networks']> {
  const counts = new Map<string, number>();
  for (let start = 0; start < names.length; start += pieceDomains) {
    const records = await domains.findRecords(names.slice(start, start + pieceDomains));
    for (const record of records) {
      const networks = new Set((record?.ip ?? []).map(({ isp = '' }) => isp).filter(Boolean));
      for (const network of networks) counts.set(network, (counts.get(network) ?? 0) + 1);
    }
  }
  return [...counts]
    .map(([value, count]) => ({ value, domains: count }))
    .sort((one, other) => other.domains - one.domains || (one.value < other.value ? -1 : 1))
    .slice(0, limits.values);
}
