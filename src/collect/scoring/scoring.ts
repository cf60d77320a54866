/**
 * Scores domains for as long as a server runs. Several stages learn that a domain is to be scored, and each asks for a job; one stage does
 * the jobs, many at once. As there is never more than one job of a domain, no two ever score it at the same time, in whichever process. The
 * last stages tell what came of it.
 */
import { repeat } from '../discovery/repeat.ts';
import { hotlistWriters } from './hotlist.ts';
import { type ScoringCounts, ScoringTally } from './scoring-counts.ts';
import { type ScoringNeeds, type Stage, scoringStages } from './scoring-stages.ts';

export interface Scoring {
  statistics(): ScoringCounts;
  close(): Promise<void>;
}

const lookMs = 1000;
const tidyMs = 3_600_000;

export function startScoring(given: ScoringNeeds): Scoring {
  const stopping = new AbortController();
  const { signal } = stopping;
  const tally = new ScoringTally();
  const onFailure = (error: unknown) => {
    tally.add({ failures: 1 });
    given.onFailure(error);
  };
  const again = (everyMs: number, stage: Stage) => repeat(stage, { everyMs, signal, onFailure });
  const running = Promise.all([
    ...scoringStages({ ...given, onFailure }, tally, signal).map((stage) => again(lookMs, stage)),
    again(tidyMs, () => forgetExpired(given)),
  ]);
  return {
    statistics: () => tally.all,
    close: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** A domain that was on the hotlist long ago may come onto it as if it never was. */
async function forgetExpired({ streams, clock, settings }: ScoringNeeds): Promise<void> {
  const keptMs = 2 * settings.risk.hotlistHours * 3_600_000;
  await streams.removeIdleMarks(hotlistWriters, clock.now() - keptMs);
}
