/** Fills in what earlier versions did not store with the domains of watchlists: the values of their records that others may share. */
import type { Mutex } from '../../concurrency/mutex.ts';
import { sharedFactsOf } from '../../model/detect/facts.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { TriageStore } from '../../store/triage-store.ts';

export interface FillNeeds {
  readonly triage: Pick<TriageStore, 'listUnfilledNames' | 'fillSharedFacts'>;
  readonly domains: Pick<DomainStore, 'findRecords'>;
  /** Facts that were read before a change must not be written after it. */
  readonly factsMutex: Mutex;
  readonly signal?: AbortSignal;
}

const batchDomains = 250;

/** Until none is left, or the signal. Idempotent; after an upgrade it works once. */
export async function fillSharedFacts(needs: FillNeeds): Promise<void> {
  const { triage, domains, factsMutex } = needs;
  while (!needs.signal?.aborted) {
    const names = await triage.listUnfilledNames(batchDomains);
    if (names.length === 0) return;
    await factsMutex.runExclusive(async () => {
      const records = await domains.findRecords(names);
      await triage.fillSharedFacts(
        names.map((domain, index) => {
          const record = records[index];
          return { domain, shared: record && sharedFactsOf(record) };
        }),
      );
    });
  }
}
