/**
 * The prior: what is assumed of a name before anything is known about it. Among new registrations about one in fifty is bad
 * (`risk.priorOneIn`). Most of those are for phishing, as on public lists of bad names with dates; spam is mostly sent from older ones.
 */
import { type ByThreat, byThreat } from './threat.ts';

export const defaultPrior = 0.02;

const parts: ByThreat<number> = { phishing: 0.7, malware: 0.25, spam: 0.05 };

/** The probability that any name is bad in this way. */
export function priorsOf(prior: number): ByThreat<number> {
  return byThreat((threat) => prior * parts[threat]);
}

export function priorLogOddsOf(prior: number): ByThreat<number> {
  const priors = priorsOf(prior);
  return byThreat((threat) => Math.log(priors[threat] / (1 - priors[threat])));
}
