/** The stages of scoring. Each call does all that is due now; stages run independently of one another. */
import type { Clock } from '../../model/clock.ts';
import type { RiskScorer } from '../../model/risk/risk-scorer.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { FreeSpace } from '../../store/free-space.ts';
import type { JobStore } from '../../store/job-store.ts';
import type { NameStore } from '../../store/name-store.ts';
import type { RiskStore } from '../../store/risk-store.ts';
import type { RrsetStore } from '../../store/rrset-store.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import { drainJobs } from '../jobs/drain-jobs.ts';
import { enqueueDiscovered } from '../jobs/enqueue-discovered.ts';
import { neighboursKind } from './bad-links.ts';
import { followUpdates } from './follow-updates.ts';
import { followVerdicts } from './follow-verdicts.ts';
import { hotlistKind, updateHotlist } from './hotlist.ts';
import { publishScores } from './publish-scores.ts';
import { type ScoredCounts, scoreDomains } from './score-domains.ts';
import { scoreKind } from './score-jobs.ts';
import { scoreNeighbours } from './score-neighbours.ts';
import { type StoredNeeds, storedScoring } from './score-stored.ts';
import type { ScoringTally } from './scoring-counts.ts';
import type { StoredProgress } from './stored-progress.ts';

export interface ScoringNeeds {
  /** Nothing is begun while disk space is low. */
  readonly freeSpace?: Pick<FreeSpace, 'hasRoom'>;
  readonly domains: DomainStore;
  readonly risks: RiskStore;
  readonly names: Pick<NameStore, 'findSeenMs'>;
  readonly streams: StreamStore;
  readonly jobs: JobStore;
  /** Undefined where passive DNS is on another node: the jobs that read it are left to that one. */
  readonly rrsets: Pick<RrsetStore, 'scan'> | undefined;
  readonly scorer: RiskScorer;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'risk'>;
  readonly onStoredScoring?: NonNullable<StoredNeeds['onStoredScoring']>;
  /** Error callback; the work is retried. */
  readonly onFailure: (error: unknown) => void;
}

/** The kinds of jobs that the stages enqueue for one another. */
export const scoringKinds: readonly string[] = [scoreKind, neighboursKind, hotlistKind];

export type Stage = () => Promise<unknown>;

const scoreBatchSize = 200;
const searchBatchSize = 50;

/** In the order in which one stage feeds the next. */
export function scoringStages(
  given: ScoringNeeds,
  tally: ScoringTally,
  signal?: AbortSignal,
): readonly Stage[] {
  const needs = {
    ...given,
    ...(signal ? { signal } : {}),
    onLag: (lagMs: number) => tally.lag(lagMs),
    onScored: (scored: ScoredCounts) => tally.add(scored),
    onNeighbours: (neighbours: number) => tally.add({ neighbours }),
    onProgress: ({ records, current }: StoredProgress) => tally.set({ records, current }),
    onPublished: (published: number) => tally.add({ published }),
    onListed: () => tally.add({ hotlisted: 1 }),
  };
  const score = (domains: readonly string[]) => scoreDomains(domains, needs);
  const rescore = (values: readonly string[]) => scoreNeighbours(values, needs);
  const { rrsets } = given;
  return [
    () => enqueueDiscovered(needs, scoreKind),
    () => followUpdates(needs),
    () => followVerdicts(needs),
    storedScoring(needs),
    () => drainJobs({ kind: scoreKind, batchSize: scoreBatchSize, perform: score }, needs),
    () => drainJobs({ kind: neighboursKind, batchSize: searchBatchSize, perform: rescore }, needs),
    () => publishScores(needs),
    ...(rrsets ? [() => drainJobs(hotlistJobs({ ...needs, rrsets }), needs)] : []),
  ];
}

function hotlistJobs(needs: Parameters<typeof updateHotlist>[1]) {
  const perform = (domains: readonly string[]) => updateHotlist(domains, needs);
  return { kind: hotlistKind, batchSize: searchBatchSize, perform };
}
