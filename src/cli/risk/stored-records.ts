/**
 * Labelled records from the data directory. Bad: on a list of bad domains. Good: on a list of good or popular domains, or old and on no
 * list. All other records are unlabelled and skipped.
 */

import type { LabelledRecord, RecordLabels } from '../../../tools/risk-model/record-rows.ts';
import { dayMs } from '../../model/durations.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';
import { registrationOf } from '../../model/record/registration.ts';
import { badVerdictsOf, type Verdict } from '../../model/risk/verdict.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import { logStart } from '../../store/paging/log-position.ts';
import type { RiskStore } from '../../store/risk-store.ts';

interface StoredNeeds {
  readonly domains: Pick<DomainStore, 'listNames' | 'findRecords'>;
  readonly risks: Pick<RiskStore, 'findVerdicts'>;
}

const batchSize = 500;
const oldMs = 2 * 365 * dayMs;

/** In batches. */
export async function* scanStoredRecords(
  { domains, risks }: StoredNeeds,
  nowMs: number,
): AsyncGenerator<readonly LabelledRecord[]> {
  for (let position = logStart; ; ) {
    const { names, position: next } = await domains.listNames(position, batchSize);
    if (names.length === 0) return;
    position = next;
    const [records, verdicts] = await Promise.all([
      domains.findRecords(names),
      risks.findVerdicts(names, nowMs),
    ]);
    yield records.flatMap((record, at) => {
      const labels = record && findLabels(record, verdicts[at] ?? [], nowMs);
      return labels ? [{ record, nowMs: observedMs(record, nowMs), labels }] : [];
    });
  }
}

function findLabels(
  record: DomainRecord,
  verdicts: readonly Verdict[],
  nowMs: number,
): RecordLabels | undefined {
  const bad = new Set(badVerdictsOf(verdicts).map(({ label }) => label));
  if (bad.size > 0) return [...bad];
  if (verdicts.length > 0) return 'good';
  const createdMs = Date.parse(registrationOf(record).create_date ?? '');
  return nowMs - createdMs > oldMs ? 'good' : undefined;
}

/** The time of the last update, to which ages are relative: a record does not age while it is not collected. */
function observedMs({ data_updated_timestamp }: DomainRecord, nowMs: number): number {
  return Math.min(nowMs, Date.parse(data_updated_timestamp ?? '') || nowMs);
}
