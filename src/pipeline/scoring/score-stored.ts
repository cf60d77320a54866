/**
 * Scores stored records that have no score, or one of an earlier model or of other settings. It reads all records once for each version of the
 * scorer, from a checkpoint, and enqueues jobs. While other score jobs are due it reads only a few records each time: millions of records
 * delay nothing, and on a server that is always busy the pass still ends. The jobs write only scores that differ, and only those are
 * published.
 */
import type { Clock } from '../../model/clock.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';
import { scoreCollector } from '../../model/risk/domain-risk.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { JobStore } from '../../store/job-store.ts';
import { logStart } from '../../store/paging/log-position.ts';
import type { RiskStore } from '../../store/risk-store.ts';
import { scoreJobs, scoreKind } from './score-jobs.ts';
import { type StoredProgress, storedProgress, storedScores } from './stored-progress.ts';

export interface StoredNeeds {
  readonly domains: Pick<DomainStore, 'listNames' | 'findRecords' | 'countNames'>;
  readonly risks: Pick<RiskStore, 'findCheckpoint' | 'setCheckpoints'>;
  readonly jobs: Pick<JobStore, 'enqueue' | 'findNextDueMs'>;
  readonly scorer: { readonly version: number };
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: StoredProgress) => void;
  /** Called when records are to be scored again, at the start or resumed, and when all of them were read. */
  readonly onStoredScoring?: (state: 'begun' | 'finished', progress: StoredProgress) => void;
}

const pageNames = 500;
/** Read in one call while other score jobs are due: few beside the thousands that are scored each second. */
const besideNames = 100;

/** Each call goes on until a score job is due, or all records were read; it reads at least a few. */
export function storedScoring(needs: StoredNeeds): () => Promise<void> {
  let [isBegun, isBehind] = [false, false];
  const report = async () => {
    const progress = await storedProgress(needs);
    needs.onProgress?.(progress);
    return progress;
  };
  return async () => {
    if (!isBegun) {
      // New records have jobs of their own. There is nothing to remember yet, and the thread that would write it takes some megabytes.
      if (await hasNoRecord(needs)) return;
      await begin(needs);
      const progress = await report();
      isBehind = progress.current < progress.records;
      if (isBehind) needs.onStoredScoring?.('begun', progress);
      isBegun = true;
    }
    let outcome: PageOutcome = 'read';
    while (outcome === 'read' && !needs.signal?.aborted) outcome = await scorePage(needs);
    const progress = await report();
    if (outcome !== 'end' || !isBehind) return;
    isBehind = false;
    needs.onStoredScoring?.('finished', progress);
  };
}

async function hasNoRecord({ domains }: StoredNeeds): Promise<boolean> {
  const { names } = await domains.listNames(logStart, 1);
  return names.length === 0;
}

/** Only at the start: two processes with different models must not restart each other's pass for ever. */
async function begin({ risks, scorer }: StoredNeeds): Promise<void> {
  if ((await risks.findCheckpoint(storedScores.version)) === String(scorer.version)) return;
  await risks.setCheckpoints({
    [storedScores.version]: String(scorer.version),
    [storedScores.position]: logStart,
    [storedScores.read]: '0',
  });
}

/** `busy`: other score jobs are due, and only a few were read; or another process has another version. `end`: there is no further record. */
type PageOutcome = 'read' | 'busy' | 'end';

async function scorePage({ domains, risks, jobs, scorer, clock }: StoredNeeds): Promise<PageOutcome> {
  const isBusy = ((await jobs.findNextDueMs(scoreKind)) ?? Infinity) <= clock.now();
  if ((await risks.findCheckpoint(storedScores.version)) !== String(scorer.version)) return 'busy';
  const from = await risks.findCheckpoint(storedScores.position);
  const read = Number(await risks.findCheckpoint(storedScores.read));
  const { names, position } = await domains.listNames(from, isBusy ? besideNames : pageNames);
  if (names.length === 0) return 'end';
  const records = await domains.findRecords(names);
  const collector = scoreCollector(scorer.version);
  const due = names.filter((_, index) => !isScoredBy(collector, records[index]));
  if (due.length > 0) await jobs.enqueue(scoreJobs(due, clock.now()));
  // Only now: after a crash the same jobs are enqueued again, which is idempotent.
  await risks.setCheckpoints({
    [storedScores.position]: position,
    [storedScores.read]: String(read + names.length),
  });
  return isBusy ? 'busy' : 'read';
}

function isScoredBy(collector: string, record: DomainRecord | undefined): boolean {
  return record?.domain_risk !== undefined && record.sources?.['domain_risk']?.collector === collector;
}
