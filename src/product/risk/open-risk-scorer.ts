/** The scorer of the settings, which the server and every command use: with the operator's model, or else the one of the package. */
import { createHash } from 'node:crypto';
import { RiskScorer } from '../../model/risk/risk-scorer.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { digestOfModel, readModel } from './read-model.ts';
import { readModelInThread } from './read-model-in-thread.ts';
import { readWellKnownDomains } from './well-known-domains.ts';

type ScorerSettings = Pick<
  Settings['risk'],
  'modelFile' | 'priorOneIn' | 'popularRankMax' | 'wellKnownDomains'
>;

/** To be increased when a change of the code gives other scores with the same model and settings. */
const scoringRevision = 1;
/** A version fits into a checkpoint, which is a number. */
const versionBytes = 6;

export function openRiskScorer({ risk }: { readonly risk: ScorerSettings }): RiskScorer {
  const { modelFile, priorOneIn, popularRankMax, wellKnownDomains } = risk;
  const digest = digestOfModel(modelFile || undefined);
  // An operator's mistake shows at the start; the model of the package is read with its first use.
  const model = modelFile ? readModel(modelFile) : { read: readModel, readInThread: readModelInThread };
  const wellKnown = wellKnownDomains ? readWellKnownDomains() : new Set<string>();
  const parts = [scoringRevision, digest, priorOneIn, popularRankMax, ...wellKnown];
  const version = createHash('sha256').update(JSON.stringify(parts)).digest().readUIntBE(0, versionBytes);
  return new RiskScorer(model, { popularRankMax, wellKnown, prior: 1 / priorOneIn, version });
}
