/**
 * Labelled records from the data directory: bad are those that lists call bad, good those that lists call good or popular, and those that
 * are old and that no list names. Of all others nobody knows.
 */
import type { DomainRecord } from '../../model/record/domain-record.ts';
import { registrationOf } from '../../model/record/registration.ts';
import type { LabelledRecord, RecordLabels } from '../../model/risk/train/record-rows.ts';
import { badVerdictsOf, type Verdict } from '../../model/risk/verdict.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { RiskStore } from '../../store/risk-store.ts';

interface StoredNeeds {
  readonly domains: Pick<DomainStore, 'listNames' | 'findRecords'>;
  readonly risks: Pick<RiskStore, 'findVerdicts'>;
}

const namesAtOnce = 500;
const oldMs = 2 * 365 * 86_400_000;

/** Some at a time. */
export async function* scanStoredRecords(
  { domains, risks }: StoredNeeds,
  nowMs: number,
): AsyncGenerator<readonly LabelledRecord[]> {
  for (let place = 0; ; ) {
    const { names, place: next } = await domains.listNames(place, namesAtOnce);
    if (names.length === 0) return;
    place = next;
    const [records, verdicts] = await Promise.all([
      domains.findRecords(names),
      risks.findVerdicts(names, nowMs),
    ]);
    yield records.flatMap((record, at) => {
      const labels = record && findLabels(record, verdicts[at] ?? [], nowMs);
      return labels ? [{ record, nowMs: lookedMs(record, nowMs), labels }] : [];
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

/** Ages are those of when it was last seen to change: a record that nobody has looked at since does not grow old by it. */
function lookedMs({ data_updated_timestamp }: DomainRecord, nowMs: number): number {
  return Math.min(nowMs, Date.parse(data_updated_timestamp ?? '') || nowMs);
}
