/** The sections that are lists: what the account does about the domain, where it leads, and what became of it. */
import { historyRows, riskHistory } from '../history-rows.ts';
import { pdnsRow, timeOf } from '../pdns-rows.ts';
import { defined, instantOfMs } from '../plain-values.ts';
import { thirdParties } from '../third-parties.ts';
import type { Dossier } from './dossier.ts';
import type { DossierFacts, PivotFact } from './dossier-facts.ts';
import type { DossierDetail } from './make-dossier.ts';

export function watchlistSection({ listed }: DossierFacts, { rowsMax }: DossierDetail): Dossier['watchlist'] {
  if (!listed) return undefined;
  const { domain, terms } = listed;
  if (!domain) return null;
  return {
    id: domain.id,
    state: domain.state,
    discovered: instantOfMs(domain.discoveredMs),
    matches: domain.matches.slice(0, rowsMax).map(({ monitorId, reason }) => ({
      monitor_id: monitorId,
      term: terms.get(monitorId) ?? '',
      class: reason.class,
    })),
    escalations: domain.escalations
      .slice(0, rowsMax)
      .map(({ type, createdMs, createdBy }) => ({ type, at: instantOfMs(createdMs), by: createdBy })),
  };
}

/** Only those that lead on: others have the value too, and few enough to be inspected. Values that lead to the same domains are one. */
export function pivotSection({ pivots }: DossierFacts, detail: DossierDetail): Dossier['pivots'] {
  if (!pivots) return undefined;
  const byDomains = Map.groupBy(
    pivots.filter(({ guided }) => guided),
    ({ domains, firstNames }) => JSON.stringify([domains, firstNames]),
  );
  return [...byDomains.values()].slice(0, detail.rowsMax).map((same) => {
    // One that can be searched for is worth more.
    const first = (same.find(({ parameter }) => parameter !== undefined) ?? same[0]) as PivotFact;
    const { attribute, parameter, value, domains, averageRisk, firstNames } = first;
    const others = same.filter((one) => one !== first).map((one) => one.attribute);
    return {
      attribute,
      ...defined({ parameter }),
      ...(others.length === 0 ? {} : { same_domains: [...new Set(others)].slice(0, detail.valuesMax) }),
      domains,
      ...defined({ average_risk: averageRisk === undefined ? undefined : oneDecimal(averageRisk) }),
      others: firstNames.slice(0, Math.min(3, detail.valuesMax)),
      ...thirdParties({ value }, detail),
    };
  });
}

export function oneDecimal(number: number): number {
  return Math.round(number * 10) / 10;
}

export function historySection({ history }: DossierFacts, detail: DossierDetail): Dossier['history'] {
  if (!history) return undefined;
  const { changes, more } = history;
  return {
    changes: changes.length,
    more,
    ...defined({ risk: riskHistory(changes) }),
    rows: historyRows(changes, detail)
      .slice(0, detail.rowsMax)
      .map((row) => ({ ...row })),
  };
}

export function passiveDnsSection(
  { passiveDns }: DossierFacts,
  detail: DossierDetail,
): Dossier['passive_dns'] {
  if (!passiveDns) return undefined;
  if (!passiveDns.found) return null;
  const { rows, more } = passiveDns.found;
  const first = Math.min(...rows.map(({ firstSeconds }) => firstSeconds));
  const last = Math.max(...rows.map(({ lastSeconds }) => lastSeconds));
  return {
    records: rows.length,
    more,
    observations: rows.reduce((sum, { count }) => sum + count, 0),
    ...(rows.length === 0 ? {} : { first: timeOf(first), last: timeOf(last) }),
    rows: rows.slice(0, detail.rowsMax).map((row) => ({ ...pdnsRow(row, detail) })),
  };
}
