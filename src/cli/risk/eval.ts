/** `nameglass risk eval`: evaluates how well a model separates bad names, or records of bad domains, from good ones. */
import type { Command } from 'commander';
import { evaluateNames, type NameEvaluation } from '../../../tools/risk-model/evaluate-names.ts';
import { type RecordEvaluation, RecordEvaluator } from '../../../tools/risk-model/evaluate-records.ts';
import type { ScoreBand } from '../../../tools/risk-model/evaluation-metrics.ts';
import { isHeldOut } from '../../../tools/risk-model/held-out.ts';
import { matchSuffixes, type NameSamples } from '../../../tools/risk-model/match-suffixes.ts';
import { seededRandom } from '../../../tools/risk-model/seeded-random.ts';
import { Problem } from '../../model/problem.ts';
import type { Quality, RiskModel } from '../../model/risk/name/name-model.ts';
import { findNameParts } from '../../model/risk/name/name-parts.ts';
import { NameScorer } from '../../model/risk/name/name-scorer.ts';
import { type Threat, threats } from '../../model/risk/threat.ts';
import { readModel } from '../../product/risk/read-model.ts';
import { readDay } from '../argument-readers.ts';
import type { CliNeeds } from '../needs.ts';
import { print, printJson, printTable } from '../output.ts';
import { withSettings } from '../settings-options.ts';
import { type ListOptions, scanLabelledNames, withNameLists } from './labelled-names.ts';
import { type RecordOptions, readRecords, recordsHelp, withRecords } from './labelled-records.ts';
import { printQuality } from './quality-table.ts';

interface Options extends ListOptions, RecordOptions {
  readonly model?: string;
  readonly heldOut?: boolean;
  readonly since?: string;
  readonly matchTlds?: boolean;
  readonly json?: boolean;
}

const help = `
Examples:
  nameglass risk eval --held-out --phishing phishing.tsv.gz --good registered.tsv.gz
  nameglass risk eval --model before-2026.bin --since 2026-01-01 --match-tlds --phishing phishing.tsv.gz --good full-feed.txt.gz
  nameglass risk eval --records labelled.ndjson

Evaluating on training data gives results that are too good: use --held-out, or names that are newer than the model. A name on a list
of bad names is not counted as good.
${recordsHelp}`;

const matchSeed = 1;

export function addRiskEval(risk: Command, needs: CliNeeds): void {
  const command = risk.command('eval').description('evaluate a model on lists of bad and good names');
  withRecords(withNameLists(withSettings(command)))
    .option('--model <file>', 'the model file (default: the model of the package)')
    .option('--held-out', 'use only the holdout set, which training excludes')
    .option(
      '--since <day>',
      'use only names first seen since this day; lists without dates are used completely',
      readDay,
    )
    .option('--match-tlds', 'sample as many good as bad names of every public suffix')
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    // Options that `risk` also has, such as --json, are parsed by `risk`.
    .action((_, self: Command) => {
      const { records, ...options } = self.optsWithGlobals<Options>();
      return records === undefined ? evaluate(options) : evaluateRecords({ ...options, records }, needs);
    });
}

async function evaluate(options: Options): Promise<void> {
  const model = readModel(options.model);
  const lists = {
    phishing: await namesOf(options.phishing, options),
    malware: await namesOf(options.malware, options),
    spam: await namesOf(options.spam, options),
  };
  const known = new Set(threats.flatMap((threat) => lists[threat]));
  const good = (await namesOf(options.good, options)).filter((name) => !known.has(name));
  const evaluated = new Map<Threat, NameEvaluation>();
  for (const threat of threats) {
    const found = evaluateSamples(model, threat, { bad: lists[threat], good }, options);
    if (found) evaluated.set(threat, found);
  }
  if (evaluated.size === 0)
    throw new Problem(
      'invalid-parameters',
      'nothing to evaluate: a list of bad names and a list of good names are required',
    );
  if (options.json) printJson(Object.fromEntries(evaluated));
  else printEvaluation(evaluated);
}

async function evaluateRecords(
  options: Options & { readonly records: string },
  needs: CliNeeds,
): Promise<void> {
  const model = readModel(options.model);
  if (!model.records)
    throw new Problem(
      'invalid-parameters',
      'this model was trained on names only; risk train --records adds a record model',
    );
  const evaluator = new RecordEvaluator(model.records, new NameScorer(model, { capsSuffixes: true }));
  await readRecords(options, needs, (labelled) => {
    evaluator.add(labelled);
    return true;
  });
  const evaluated = threats.flatMap((threat) => {
    const found = evaluator.find(threat);
    return found ? [[threat, found] as const] : [];
  });
  if (evaluated.length === 0)
    throw new Problem('invalid-parameters', 'nothing to evaluate: bad and good records are required');
  if (options.json) printJson(Object.fromEntries(evaluated));
  else printRecordEvaluation(evaluated);
}

function printRecordEvaluation(evaluated: readonly (readonly [Threat, RecordEvaluation])[]): void {
  printFigures(
    evaluated.flatMap(([threat, { quality, nameAlone }]) => [
      [threat, quality] as const,
      [`${threat}, by name alone`, nameAlone] as const,
    ]),
    evaluated.map(([threat, { bands }]) => [threat, bands] as const),
    'records',
  );
}

function evaluateSamples(
  model: RiskModel,
  threat: Threat,
  sides: NameSamples,
  options: Options,
): NameEvaluation | undefined {
  const { bad, good } = options.matchTlds ? matchSuffixes(sides, seededRandom(matchSeed)) : sides;
  return evaluateNames(model, threat, bad, good);
}

/** The distinct domains of the lists. */
async function namesOf(files: readonly string[] | undefined, options: Options): Promise<readonly string[]> {
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

function printEvaluation(evaluated: ReadonlyMap<Threat, NameEvaluation>): void {
  printFigures(
    [...evaluated].flatMap(([threat, { quality, labelAlone }]) => [
      [threat, quality] as const,
      [`${threat}, without suffix`, labelAlone] as const,
    ]),
    [...evaluated].map(([threat, { bands }]) => [threat, bands] as const),
    'names',
  );
}

function printFigures(
  qualities: readonly (readonly [what: string, quality: Quality])[],
  banded: readonly (readonly [threat: Threat, bands: readonly ScoreBand[]])[],
  examples: 'names' | 'records',
): void {
  printQuality(qualities);
  for (const [threat, bands] of banded) {
    print(
      `\nscores for ${threat}, and the share of bad ${examples} in each band if there were as many bad as good ones`,
    );
    printTable(
      ['score', 'bad', 'good', 'bad share'],
      bands.map(({ from, to, bad, good, balancedShare }) => [
        `${from}-${to}`,
        bad,
        good,
        `${(100 * balancedShare).toFixed(1)} %`,
      ]),
    );
  }
}
