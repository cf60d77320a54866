/** `nameglass risk eval`: evaluates how well a model separates bad names, or records of bad domains, from good ones. */
import type { Command } from 'commander';
import { type RecordEvaluation, RecordEvaluator } from '../../../tools/risk-model/evaluate-records.ts';
import { Problem } from '../../model/problem.ts';
import { NameScorer } from '../../model/risk/name/name-scorer.ts';
import { type Threat, threats } from '../../model/risk/threat.ts';
import { readModel } from '../../product/risk/read-model.ts';
import { readDay } from '../argument-readers.ts';
import type { CliNeeds } from '../needs.ts';
import { printJson } from '../output.ts';
import { withSettings } from '../settings-options.ts';
import { evalNames, type NameEvalOptions } from './eval-names.ts';
import { withNameLists } from './labelled-names.ts';
import { type RecordOptions, readRecords, recordsHelp, withRecords } from './labelled-records.ts';
import { printFigures } from './quality-table.ts';

interface Options extends NameEvalOptions, RecordOptions {}

const help = `
Examples:
  nameglass risk eval --held-out --phishing phishing.tsv.gz --good registered.tsv.gz --popular ranked.tsv.gz
  nameglass risk eval --model before-2026.bin --since 2026-01-01 --match-tlds --phishing phishing.tsv.gz --good full-feed.txt.gz
  nameglass risk eval --records labelled.ndjson

Evaluating on training data gives results that are too good: use --held-out, or names that are newer than the model. A name on a list
of bad names is not counted as good. Popular names show how many ordinary names would be flagged, in all and for each top-level domain.
${recordsHelp}`;

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
    .option(
      '--match-tlds',
      'sample as many good as bad names of every public suffix; of records, also of every age',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    // Options that `risk` also has, such as --json, are parsed by `risk`.
    .action((_, self: Command) => {
      const { records, ...options } = self.optsWithGlobals<Options>();
      return records === undefined
        ? evalNames(options, needs)
        : evaluateRecords({ ...options, records }, needs);
    });
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
  const evaluator = new RecordEvaluator(model.records, new NameScorer(model));
  await readRecords(options, needs, (labelled) => {
    evaluator.add(labelled);
    return true;
  });
  const evaluated = threats.flatMap((threat) => {
    const found = evaluator.find(threat, { isMatched: options.matchTlds ?? false });
    return found ? [[threat, found] as const] : [];
  });
  if (evaluated.length === 0)
    throw new Problem('invalid-parameters', 'nothing to evaluate: bad and good records are required');
  if (options.json) printJson(Object.fromEntries(evaluated));
  else printRecordEvaluation(evaluated);
}

function printRecordEvaluation(evaluated: readonly (readonly [Threat, RecordEvaluation])[]): void {
  printFigures(
    evaluated.flatMap(([threat, { quality, nameAlone, without }]) => [
      [threat, quality] as const,
      [`${threat}, by name alone`, nameAlone] as const,
      ...without.map((one) => [`${threat}, without ${one.evidence}`, one.quality] as const),
    ]),
    evaluated.map(([threat, { bands }]) => [threat, bands] as const),
    'records',
  );
}
