/**
 * The scale of scores: how a probability of being bad, as log-odds, becomes a score. It is the same for names and records. One name in
 * fifty is 11, one in twelve 40, two in nine 70, every second 90. A model never gives 0 or 100: those are for listed domains.
 */
const scoreMin = 1;
const scoreMax = 99;

/** How far one unit of log-odds moves the logit of a score. */
export const logitPerLogOdds = 1.1;
const logitOfEvenOdds = 2.225;

/** A score before it is rounded, from 0 to 1. */
export function shareOfLogOdds(logOdds: number): number {
  return 1 / (1 + Math.exp(-(logitPerLogOdds * logOdds + logitOfEvenOdds)));
}

export function scoreOfShare(share: number): number {
  return Math.min(scoreMax, Math.max(scoreMin, Math.round(100 * share)));
}

/** The probability of being bad that a score stands for. */
export function probabilityOfScore(score: number): number {
  const logOdds = (Math.log(score / (100 - score)) - logitOfEvenOdds) / logitPerLogOdds;
  return 1 / (1 + Math.exp(-logOdds));
}
