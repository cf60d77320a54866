/** Two versions of a scorer that differ in which domains are known to be good, so that one publishes what the other does not. */
import { readConfig } from '../../../../src/config.ts';
import { RiskScorer } from '../../../../src/model/risk/risk-scorer.ts';
import { readModel } from '../../../../src/product/risk/read-model.ts';

/** Several pages of records. */
export const rescoredDomains = Array.from({ length: 2400 }, (_, index) => `stored-${index}.com`);

/** The first version trusts every third of them, the second none. */
export const changedDomains = rescoredDomains.filter((_, index) => index % 3 === 0);

export function scorerOfVersion(version: 1 | 2): RiskScorer {
  const wellKnown = new Set(version === 1 ? changedDomains : []);
  return new RiskScorer(readModel(), { popularRankMax: 0, wellKnown, version });
}

const { settings } = readConfig({ environment: {}, flags: {} });

/** All domains that are not known to be good are on both feeds. */
export const rescoringSettings = {
  ...settings,
  risk: { ...settings.risk, domainRiskMin: 1, hotlistProximityMin: 1 },
};
