/** Evaluates a model on lists of names: how well it separates them, what scores mean, and what ordinary names owe to each feature. */
import { evaluateNames, type NameEvaluation } from '../../../tools/risk-model/evaluate-names.ts';
import {
  evaluatePopular,
  type PopularEvaluation,
  type RankedName,
} from '../../../tools/risk-model/evaluate-popular.ts';
import { type FeatureGroupMeans, featureGroupMeans } from '../../../tools/risk-model/feature-group-means.ts';
import { isHeldOut } from '../../../tools/risk-model/held-out.ts';
import { matchSuffixes } from '../../../tools/risk-model/match-suffixes.ts';
import { seededRandom } from '../../../tools/risk-model/seeded-random.ts';
import { popularRankMin } from '../../../tools/risk-model/training-set.ts';
import { Problem } from '../../model/problem.ts';
import type { Quality } from '../../model/risk/name/name-model.ts';
import { findNameParts } from '../../model/risk/name/name-parts.ts';
import { NameScorer } from '../../model/risk/name/name-scorer.ts';
import { type ByThreat, type Threat, threats } from '../../model/risk/threat.ts';
import { readModel } from '../../product/risk/read-model.ts';
import { readWellKnownDomains } from '../../product/risk/well-known-domains.ts';
import type { CliNeeds } from '../needs.ts';
import { printJson } from '../output.ts';
import { configOf, type SettingsOptions } from '../settings-options.ts';
import { printNameEvaluation } from './eval-names-text.ts';
import { type ListOptions, scanLabelledNames } from './labelled-names.ts';

export interface NameEvalOptions extends ListOptions, SettingsOptions {
  readonly model?: string;
  readonly heldOut?: boolean;
  readonly since?: string;
  readonly matchTlds?: boolean;
  readonly json?: boolean;
}

export interface ThreatEvaluation extends NameEvaluation {
  /** Against popular names of rank over 20,000. */
  readonly popular?: Quality;
  readonly groups: readonly FeatureGroupMeans[];
}

export interface NamesEvaluation {
  readonly threats: Partial<ByThreat<ThreatEvaluation>>;
  readonly popular?: PopularEvaluation;
  /** How many of the most popular names the package lists as well known, so that they score 0. */
  readonly wellKnown?: number;
}

const matchSeed = 1;
const ordinaryRankMin = 20_000;

export async function evalNames(options: NameEvalOptions, needs: CliNeeds): Promise<void> {
  const { risk } = configOf(options, needs).settings;
  const scorer = new NameScorer(readModel((options.model ?? risk.modelFile) || undefined), {
    prior: 1 / risk.priorOneIn,
  });
  const lists = {
    phishing: await namesOf(options.phishing, options),
    malware: await namesOf(options.malware, options),
    spam: await namesOf(options.spam, options),
  };
  const known = new Set(threats.flatMap((threat) => lists[threat]));
  const isNotBad = (name: string) => !known.has(name);
  const good = (await namesOf(options.good, options)).filter(isNotBad);
  const popular = (await popularOf(options)).filter(({ name }) => isNotBad(name));
  const evaluated: Partial<Record<Threat, ThreatEvaluation>> = {};
  for (const threat of threats) {
    const found = evaluateThreat(scorer, threat, { bad: lists[threat], good, popular }, options);
    if (found) evaluated[threat] = found;
  }
  if (Object.keys(evaluated).length === 0)
    throw new Problem(
      'invalid-parameters',
      'nothing to evaluate: a list of bad names and a list of good names are required',
    );
  const wellKnown = readWellKnownDomains();
  const evaluation: NamesEvaluation = {
    threats: evaluated,
    ...(popular.length === 0
      ? {}
      : {
          popular: evaluatePopular(scorer, popular),
          wellKnown: popular.filter(({ name, rank }) => rank <= popularRankMin && wellKnown.has(name)).length,
        }),
  };
  const { threats: byThreat, ...others } = evaluation;
  if (options.json) printJson({ ...byThreat, ...others });
  else printNameEvaluation(evaluation, risk.priorOneIn);
}

interface Samples {
  readonly bad: readonly string[];
  readonly good: readonly string[];
  readonly popular: readonly RankedName[];
}

function evaluateThreat(
  scorer: NameScorer,
  threat: Threat,
  { bad, good, popular }: Samples,
  { matchTlds }: NameEvalOptions,
): ThreatEvaluation | undefined {
  const samples = matchTlds ? matchSuffixes({ bad, good }, seededRandom(matchSeed)) : { bad, good };
  const found = evaluateNames(scorer, threat, samples);
  if (!found) return undefined;
  const ordinary = popular.filter(({ rank }) => rank > ordinaryRankMin).map(({ name }) => name);
  const against = evaluateNames(scorer, threat, { bad, good: ordinary });
  return {
    ...found,
    ...(against ? { popular: against.quality } : {}),
    groups: featureGroupMeans(scorer, threat, { bad, good: [...good, ...ordinary] }),
  };
}

/** The distinct domains of the lists. */
async function namesOf(
  files: readonly string[] | undefined,
  options: NameEvalOptions,
): Promise<readonly string[]> {
  const names = new Set<string>();
  for (const file of files ?? []) {
    const undated: string[] = [];
    let hasDays = false;
    for await (const { name, date } of scanLabelledNames([file])) {
      const domain = findNameParts(name)?.domain;
      hasDays ||= date !== undefined;
      if (domain === undefined || (options.heldOut && !isHeldOut(domain))) continue;
      if (date === undefined) undated.push(domain);
      else if (options.since === undefined || date >= options.since) names.add(domain);
    }
    if (options.since === undefined || !hasDays) for (const domain of undated) names.add(domain);
  }
  return [...names];
}

/** The most popular names are never trained on, so all of them are used. Names without a rank are ignored. */
async function popularOf({ popular, heldOut }: NameEvalOptions): Promise<readonly RankedName[]> {
  const names: RankedName[] = [];
  for await (const { name, rank } of scanLabelledNames(popular)) {
    const domain = findNameParts(name)?.domain;
    if (domain === undefined || rank === undefined) continue;
    if (!heldOut || rank <= popularRankMin || isHeldOut(domain)) names.push({ name: domain, rank });
  }
  return names;
}
