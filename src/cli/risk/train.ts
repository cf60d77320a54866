/** `nameglass risk train`: trains a model on labelled names and labelled records. */
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { evaluateNames } from '../../../tools/risk-model/evaluate-names.ts';
import { RecordRows } from '../../../tools/risk-model/record-rows.ts';
import { trainNameModel } from '../../../tools/risk-model/train-name-model.ts';
import { trainRecordModel } from '../../../tools/risk-model/train-record-model.ts';
import { TrainingSet } from '../../../tools/risk-model/training-set.ts';
import { Problem } from '../../model/problem.ts';
import type { ModelSummary, RiskModel } from '../../model/risk/name/name-model.ts';
import { encodeModel } from '../../model/risk/name/name-model-file.ts';
import { NameScorer } from '../../model/risk/name/name-scorer.ts';
import { threats } from '../../model/risk/threat.ts';
import { readModel } from '../../product/risk/read-model.ts';
import { readDay, readWhole } from '../argument-readers.ts';
import type { CliNeeds } from '../needs.ts';
import { print, printJson } from '../output.ts';
import { progressLine } from '../progress-line.ts';
import { withSettings } from '../settings-options.ts';
import { type ListOptions, scanLabelledNames, withNameLists } from './labelled-names.ts';
import { type RecordOptions, readRecords, recordsHelp, withRecords } from './labelled-records.ts';
import { printQuality } from './quality-table.ts';

interface Options extends ListOptions, RecordOptions {
  readonly model?: string;
  readonly out: string;
  readonly seed: number;
  readonly before?: string;
  readonly json?: boolean;
}

const help = `
Examples:
  nameglass risk train --phishing phishing.tsv.gz --malware malware.tsv --spam spam.txt --good registered.tsv.gz --popular ranked.tsv.gz --out risk.bin
  nameglass risk train --records stored --data /var/lib/nameglass --out risk.bin

A line of a list is a name, optionally followed by a tab and the day it was first seen (YYYY-MM-DD); newer bad names have more weight. In
a list of popular names the tab is followed by the rank; the first thousand are left out, to evaluate the model on them. Ordinary names
of the same suffixes as the bad ones are essential: bad names of a suffix without any are not used. One name in twenty, always the same ones, is held out to evaluate the model; \`risk eval --held-out\` uses the same names. The same lists
and seed produce the same bytes. docs/risk.md explains the metrics and their pitfalls.
${recordsHelp}Without lists, an existing model is extended by a record model. Names of bad records are excluded from the lists, so that the record
model learns from names that the name model has not seen as bad.
`;

export function addRiskTrain(risk: Command, needs: CliNeeds): void {
  const command = risk.command('train').description('train a model on lists of bad and good names');
  withRecords(withNameLists(withSettings(command)))
    .option('--model <file>', 'the model to extend by records (default: the model of the package)')
    .requiredOption('--out <file>', 'the model file to write')
    .option('--seed <number>', 'seed of the random numbers', readWhole, 1)
    .option('--before <day>', 'use only names dated before this day, to evaluate on later ones', readDay)
    .option('--json', 'print the metrics as JSON')
    .addHelpText('after', help)
    // Options that `risk` also has, such as --json, are parsed by `risk`.
    .action((_, self: Command) => train(self.optsWithGlobals<Options>(), needs));
}

async function train(options: Options, needs: CliNeeds): Promise<void> {
  const progress = progressLine();
  const show = (text: string) => progress.show(text);
  const rows = await readRows(options, needs, show);
  const known = rows && !hasLists(options) ? readModel(options.model) : await trainNames(options, rows, show);
  show('records');
  const records =
    rows &&
    trainRecordModel(rows.all, {
      seed: options.seed,
      names: new NameScorer(known),
    });
  const model = records ? { ...known, records } : known;
  progress.clear();
  writeFileSync(options.out, encodeModel(model));
  if (options.json) printJson({ ...model.summary, ...(records ? { records: records.summary } : {}) });
  else printSummary(model, options.out);
}

function hasLists(options: Options): boolean {
  return options.good !== undefined || threats.some((threat) => options[threat] !== undefined);
}

async function readRows(
  { records, ...others }: Options,
  needs: CliNeeds,
  show: (text: string) => void,
): Promise<RecordRows | undefined> {
  if (records === undefined) return undefined;
  const rows = new RecordRows();
  await readRecords({ ...others, records }, needs, (labelled) => {
    rows.add(labelled);
    show(`${rows.all.length.toLocaleString('en')} records`);
    return !rows.isFull;
  });
  return rows;
}

async function trainNames(
  options: Options,
  rows: RecordRows | undefined,
  show: (text: string) => void,
): Promise<RiskModel> {
  if (!threats.some((threat) => options[threat]) || !options.good)
    throw new Problem(
      'invalid-parameters',
      'lists of good names (--good) and of bad names (--phishing, --malware or --spam) are required',
    );
  const set = await readSet(options, badNamesOf(rows), show);
  const trained = trainNameModel(set, {
    seed: options.seed,
    before: options.before,
    onProgress: (stage, done, all) => show(`${stage}: ${Math.floor((100 * done) / all)} %`),
  });
  show('evaluating');
  return withQuality(trained, set);
}

function badNamesOf(rows: RecordRows | undefined): ReadonlySet<string> {
  const bad = rows?.all.filter(({ labels }) => labels !== 'good') ?? [];
  return new Set(bad.map(({ domain }) => domain));
}

async function readSet(
  options: Options,
  excluded: ReadonlySet<string>,
  show: (text: string) => void,
): Promise<TrainingSet> {
  const set = new TrainingSet({ before: options.before });
  for (const label of [...threats, 'good', 'popular'] as const)
    for await (const { name, date, rank } of scanLabelledNames(options[label])) {
      if (!excluded.has(name)) set.add(name, label, { date, rank });
      show(`${set.size.toLocaleString('en')} names`);
    }
  return set;
}

function withQuality(model: RiskModel, { heldOut }: TrainingSet): RiskModel {
  const allBad = new Set(threats.flatMap((threat) => heldOut[threat]));
  const good = heldOut.good.filter((name) => !allBad.has(name));
  const quality: Partial<Record<(typeof threats)[number], ModelSummary['quality']['phishing']>> = {};
  const scorer = new NameScorer(model);
  for (const threat of threats) {
    const measured = evaluateNames(scorer, threat, { bad: heldOut[threat], good });
    if (measured) quality[threat] = measured.quality;
  }
  return { ...model, summary: { ...model.summary, quality: quality as ModelSummary['quality'] } };
}

function printSummary({ summary, records }: RiskModel, out: string): void {
  print(`trained on ${countsOf(summary.trainedOn)} names; the model is in ${out}`);
  table(summary.quality);
  if (!records) return;
  print(`\nand on ${countsOf(records.summary.trainedOn)} records`);
  table(records.summary.quality);
}

function countsOf(trainedOn: ModelSummary['trainedOn']): string {
  return [...threats, 'good' as const]
    .map((label) => `${trainedOn[label].toLocaleString('en')} ${label}`)
    .join(', ');
}

function table(quality: ModelSummary['quality']): void {
  printQuality(threats.flatMap((threat) => (quality[threat] ? [[threat, quality[threat]] as const] : [])));
}
