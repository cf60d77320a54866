/**
 * A process to be killed while it scores stored records again: `node scoring-worker.ts DIRECTORY NOW_MS`. It prints the number of
 * records that were read after every round of all stages, and ends when nothing is left to do.
 */
import { ScoringTally } from '../../../../src/pipeline/scoring/scoring-counts.ts';
import { scoringStages } from '../../../../src/pipeline/scoring/scoring-stages.ts';
import { openEmbeddedStores } from '../../../../src/store/embedded/open-stores.ts';
import { rescoringSettings, scorerOfVersion } from './rescoring.ts';

const [directory = '', nowMs = ''] = process.argv.slice(2);
const clock = { now: () => Number(nowMs) };
const stores = openEmbeddedStores({ data: directory, clock });
const tally = new ScoringTally();
const onFailure = (error: unknown) => {
  throw error;
};
const stages = scoringStages(
  { ...stores, scorer: scorerOfVersion(2), settings: rescoringSettings, clock, onFailure },
  tally,
);
for (let before = ''; before !== JSON.stringify(tally.all); ) {
  before = JSON.stringify(tally.all);
  for (const stage of stages) await stage();
  process.stdout.write(`${tally.all.current}\n`);
}
await stores.close();
