/**
 * Scores domains while the server runs. Several stages learn that a domain must be scored and enqueue a job; one stage performs the jobs in
 * batches. There is at most one job per domain, so no two processes ever score it at the same time. The last stages publish the scores.
 */

import { repeat } from '../../concurrency/repeat.ts';
import { hourMs } from '../../model/durations.ts';
import { hotlistProducerPrefix } from './hotlist.ts';
import { type ScoringCounts, ScoringTally } from './scoring-counts.ts';
import { type ScoringNeeds, type Stage, scoringStages } from './scoring-stages.ts';

export interface Scoring {
  statistics(): ScoringCounts;
  close(): Promise<void>;
}

const pollMs = 1000;
const cleanUpMs = hourMs;

export function startScoring(given: ScoringNeeds): Scoring {
  const stopping = new AbortController();
  const { signal } = stopping;
  const tally = new ScoringTally();
  const onFailure = (error: unknown) => {
    tally.add({ failures: 1 });
    given.onFailure(error);
  };
  const isPaused = () => given.freeSpace?.hasRoom() === false;
  const again = (everyMs: number, stage: Stage) => repeat(stage, { everyMs, signal, onFailure, isPaused });
  const running = Promise.all([
    ...scoringStages({ ...given, onFailure }, tally, signal).map((stage) => again(pollMs, stage)),
    again(cleanUpMs, () => removeExpiredMarks(given)),
  ]);
  return {
    statistics: () => tally.all,
    close: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** A domain that was hotlisted long ago may be listed again as if it never was. */
async function removeExpiredMarks({ streams, clock, settings }: ScoringNeeds): Promise<void> {
  const keptMs = 2 * settings.risk.hotlistHours * hourMs;
  await streams.removeIdleProducerMarks(hotlistProducerPrefix, clock.now() - keptMs);
}
