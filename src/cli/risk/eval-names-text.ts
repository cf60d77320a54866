/** Prints the evaluation of a model on lists of names. */
import type { PopularEvaluation } from '../../../tools/risk-model/evaluate-popular.ts';
import type { SliceEvaluation } from '../../../tools/risk-model/evaluate-slices.ts';
import type { FeatureGroupMeans } from '../../../tools/risk-model/feature-group-means.ts';
import { type Threat, threats } from '../../model/risk/threat.ts';
import { print, printTable } from '../output.ts';
import type { NamesEvaluation, ThreatEvaluation } from './eval-names.ts';
import { percent, printFigures } from './quality-table.ts';

const tldsShown = 10;

export function printNameEvaluation(evaluation: NamesEvaluation, priorOneIn: number): void {
  const { popular, wellKnown } = evaluation;
  const evaluated = threats.flatMap((threat): (readonly [Threat, ThreatEvaluation])[] => {
    const found = evaluation.threats[threat];
    return found ? [[threat, found]] : [];
  });
  printFigures(
    evaluated.flatMap(([threat, { quality, labelAlone, popular: against }]) => [
      [threat, quality] as const,
      [`${threat}, without suffix`, labelAlone] as const,
      ...(against ? [[`${threat}, against popular names`, against] as const] : []),
    ]),
    evaluated.map(([threat, { bands }]) => [threat, bands] as const),
    'names',
  );
  if (popular) printPopular(popular, wellKnown ?? 0);
  for (const [threat, { groups, slices }] of evaluated) {
    printGroups(threat, groups);
    printSlices(threat, slices);
  }
  print(`\nprior: one new registration in ${priorOneIn.toLocaleString('en')} is bad (risk.priorOneIn)`);
}

function printPopular({ ordinary, byTld, top }: PopularEvaluation, wellKnown: number): void {
  print(
    '\npopular names of rank over 20,000, by name alone, and the top-level domains with the most of 70 and more',
  );
  printTable(
    ['', 'names', '70 and more', '90 and more'],
    [
      { tld: 'all', ...ordinary },
      ...byTld.slice(0, tldsShown).map((one) => ({ ...one, tld: `.${one.tld}` })),
    ].map(({ tld, names, from70, from90 }) => [
      tld,
      names.toLocaleString('en'),
      `${(100 * from70).toFixed(2)} %`,
      `${(100 * from90).toFixed(2)} %`,
    ]),
  );
  print(`their median score is ${ordinary.median}`);
  if (top.names > 0)
    print(
      `of the ${top.names.toLocaleString('en')} names of rank up to 1,000, ${percent(top.over40)} score over 40; ${wellKnown} are listed as well known and score 0`,
    );
}

function printGroups(threat: Threat, groups: readonly FeatureGroupMeans[]): void {
  print(`\nwhat scores for ${threat} owe to each feature group, as mean log-odds`);
  const signed = (value: number) => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(2)}`;
  printTable(
    ['feature group', 'ordinary names', 'bad names', 'ordinary names owe it most'],
    groups.map(({ group, good, bad, most }) => [
      group,
      signed(good),
      signed(bad),
      most ? `${signed(most.mean)} under .${most.tld}` : '',
    ]),
  );
}

function printSlices(threat: Threat, slices: readonly SliceEvaluation[]): void {
  print(`\nscores for ${threat} of names of one kind, and how well those are separated`);
  printTable(
    ['names', 'good', '70 and more', 'bad', '70 and more', 'AUC'],
    slices.map(({ slice, good, goodFrom70, bad, badFrom70, auc }) => [
      slice,
      good.toLocaleString('en'),
      `${(100 * goodFrom70).toFixed(2)} %`,
      bad.toLocaleString('en'),
      percent(badFrom70),
      auc?.toFixed(3) ?? '',
    ]),
  );
}
