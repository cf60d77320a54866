/** The stages of scoring. Each does all that is to be done now, at any time and beside the others. */
import type { Clock } from '../../model/clock.ts';
import type { RiskScorer } from '../../model/risk/risk-scorer.ts';
import type { Settings } from '../../model/settings.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { JobStore } from '../../store/job-store.ts';
import type { NameStore } from '../../store/name-store.ts';
import type { RiskStore } from '../../store/risk-store.ts';
import type { RrsetStore } from '../../store/rrset-store.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import { enqueueDiscovered } from '../jobs/enqueue-discovered.ts';
import { neighboursKind } from './bad-links.ts';
import { followUpdates } from './follow-updates.ts';
import { followVerdicts } from './follow-verdicts.ts';
import { hotlistKind, lookForHot } from './hotlist.ts';
import { type ScoredCounts, scoreDomains } from './score-domains.ts';
import { scoreKind } from './score-jobs.ts';
import { scoreNeighbours } from './score-neighbours.ts';
import { scoreUnscored } from './score-unscored.ts';
import type { ScoringTally } from './scoring-counts.ts';
import { tellScores } from './tell-scores.ts';
import { workOff } from './work-off.ts';

export interface ScoringNeeds {
  readonly domains: DomainStore;
  readonly risks: RiskStore;
  readonly names: Pick<NameStore, 'findSeenMs'>;
  readonly streams: StreamStore;
  readonly jobs: JobStore;
  readonly rrsets: Pick<RrsetStore, 'scan'>;
  readonly scorer: RiskScorer;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'risk'>;
  /** Hears of what went wrong; it is tried again. */
  readonly onFailure: (error: unknown) => void;
}

/** Of the jobs that stages leave for one another. */
export const scoringKinds: readonly string[] = [scoreKind, neighboursKind, hotlistKind];

export type Stage = () => Promise<unknown>;

const scoredAtOnce = 200;
const lookedForAtOnce = 50;

/** In the order in which one leads to the other. */
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
    onTold: (told: number) => tally.add({ told }),
    onHot: () => tally.add({ hot: 1 }),
  };
  const score = (domains: readonly string[]) => scoreDomains(domains, needs);
  const spread = (values: readonly string[]) => scoreNeighbours(values, needs);
  const look = (domains: readonly string[]) => lookForHot(domains, needs);
  return [
    () => enqueueDiscovered(needs, scoreKind),
    () => followUpdates(needs),
    () => followVerdicts(needs),
    () => scoreUnscored(needs),
    () => workOff({ kind: scoreKind, atOnce: scoredAtOnce, perform: score }, needs),
    () => workOff({ kind: neighboursKind, atOnce: lookedForAtOnce, perform: spread }, needs),
    () => tellScores(needs),
    () => workOff({ kind: hotlistKind, atOnce: lookedForAtOnce, perform: look }, needs),
  ];
}
