/** Evaluates a model on lists of names: how well it separates them, what scores mean, and what ordinary names owe to each feature. */
import { evaluateNames, type NameEvaluation } from '../../../tools/risk-model/evaluate-names.ts';
import {
  evaluatePopular,
  type PopularEvaluation,
  type RankedName,
} from '../../../tools/risk-model/evaluate-popular.ts';
import {
  evaluateSlices,
  type ListedName,
  type SliceEvaluation,
} from '../../../tools/risk-model/evaluate-slices.ts';
import { type FeatureGroupMeans, featureGroupMeans } from '../../../tools/risk-model/feature-group-means.ts';
import { matchSuffixes } from '../../../tools/risk-model/match-suffixes.ts';
import { seededRandom } from '../../../tools/risk-model/seeded-random.ts';
import { popularRankMin } from '../../../tools/risk-model/training-set.ts';
import { Problem } from '../../model/problem.ts';
import type { Quality } from '../../model/risk/name/name-model.ts';
import { NameScorer } from '../../model/risk/name/name-scorer.ts';
import { type ByThreat, type Threat, threats } from '../../model/risk/threat.ts';
import { readModel } from '../../product/risk/read-model.ts';
import { readWellKnownDomains } from '../../product/risk/well-known-domains.ts';
import type { CliNeeds } from '../needs.ts';
import { printJson } from '../output.ts';
import { configOf, type SettingsOptions } from '../settings-options.ts';
import { type EvalListOptions, readListedNames, readPopularNames } from './eval-lists.ts';
import { printNameEvaluation } from './eval-names-text.ts';

export interface NameEvalOptions extends EvalListOptions, SettingsOptions {
  readonly model?: string;
  readonly matchTlds?: boolean;
  readonly json?: boolean;
}

export interface ThreatEvaluation extends NameEvaluation {
  /** Against popular names of rank over 20,000. */
  readonly popular?: Quality;
  readonly groups: readonly FeatureGroupMeans[];
  readonly slices: readonly SliceEvaluation[];
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
    phishing: await readListedNames(options.phishing, options),
    malware: await readListedNames(options.malware, options),
    spam: await readListedNames(options.spam, options),
  };
  const known = new Set(threats.flatMap((threat) => lists[threat].map(({ name }) => name)));
  const isNotBad = ({ name }: ListedName) => !known.has(name);
  const good = (await readListedNames(options.good, options)).filter(isNotBad);
  const popular = (await readPopularNames(options)).filter(isNotBad);
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
  readonly bad: readonly ListedName[];
  readonly good: readonly ListedName[];
  readonly popular: readonly RankedName[];
}

function evaluateThreat(
  scorer: NameScorer,
  threat: Threat,
  { bad, good, popular }: Samples,
  { matchTlds }: NameEvalOptions,
): ThreatEvaluation | undefined {
  const listed = { bad: bad.map(nameOf), good: good.map(nameOf) };
  const samples = matchTlds ? matchSuffixes(listed, seededRandom(matchSeed)) : listed;
  const found = evaluateNames(scorer, threat, samples);
  if (!found) return undefined;
  const ordinary = popular.filter(({ rank }) => rank > ordinaryRankMin).map(nameOf);
  const against = evaluateNames(scorer, threat, { bad: listed.bad, good: ordinary });
  return {
    ...found,
    ...(against ? { popular: against.quality } : {}),
    groups: featureGroupMeans(scorer, threat, { bad: listed.bad, good: [...listed.good, ...ordinary] }),
    slices: evaluateSlices(scorer, threat, { bad, good }),
  };
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}
