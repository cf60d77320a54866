/** `nameglass risk train`: a model from labelled lists, and from labelled records. */
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { Problem } from '../../model/problem.ts';
import { encodeModel } from '../../model/risk/model-file.ts';
import { NameScorer } from '../../model/risk/name-scorer.ts';
import type { ModelSummary, RiskModel } from '../../model/risk/risk-model.ts';
import { threats } from '../../model/risk/threat.ts';
import { measureModel } from '../../model/risk/train/measure-model.ts';
import { RecordRows } from '../../model/risk/train/record-rows.ts';
import { trainRecordModel } from '../../model/risk/train/record-train-model.ts';
import { trainModel } from '../../model/risk/train/train-model.ts';
import { TrainingSet } from '../../model/risk/train/training-set.ts';
import { readModel } from '../../product/risk/read-model.ts';
import { collect, readDay, readWhole } from '../argument-readers.ts';
import type { CliNeeds } from '../needs.ts';
import { print, printJson } from '../output.ts';
import { progressLine } from '../progress-line.ts';
import { withSettings } from '../settings-options.ts';
import { type ListOptions, scanLists, withLists } from './labelled-lists.ts';
import { qualityTable } from './quality-table.ts';
import { type RecordOptions, recordsHelp, takeRecords, withRecords } from './records-source.ts';

interface Options extends ListOptions, RecordOptions {
  readonly model?: string;
  readonly out: string;
  readonly popular?: readonly string[];
  readonly seed: number;
  readonly before?: string;
  readonly json?: boolean;
}

const help = `
Examples:
  nameglass risk train --phishing phishing.tsv.gz --malware malware.tsv --spam spam.txt --good registered.tsv.gz --out risk.bin
  nameglass risk train --records stored --data /var/lib/nameglass --out risk.bin

A line of a list is a name and, after a tab, the day it was first seen (YYYY-MM-DD) where that is known: newer names count for more. One name in
twenty, always the same ones, is left out to measure the model; \`risk eval --held-out\` measures on those again. The same lists and the
same seed give the same bytes. docs/risk.md tells what the figures mean, and how easily they flatter.
${recordsHelp}Without lists, a model that is there already learns of records in addition. Names of records are left out of lists, so that what a name says is
weighed as it is of names that nobody has seen.
`;

export function addRiskTrain(risk: Command, needs: CliNeeds): void {
  const command = risk.command('train').description('train a model on lists of bad and good names');
  withRecords(withLists(withSettings(command)))
    .option(
      '--model <file>',
      'the model that learns of records; without it, the one that comes with the package',
    )
    .option(
      '--popular <file>',
      'a list of popular names: good ones that count for less',
      collect((file: string) => file),
    )
    .requiredOption('--out <file>', 'where the model goes')
    .option('--seed <number>', 'where chance begins', readWhole, 1)
    .option(
      '--before <day>',
      'use only names that are dated before this day, to measure on later ones',
      readDay,
    )
    .option('--json', 'print what was measured as JSON')
    .addHelpText('after', help)
    // What `risk` itself takes too, as --json, ends up there.
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
      names: new NameScorer(known, { doubtsSuffixes: true }),
    });
  const model = records ? { ...known, records } : known;
  progress.clear();
  writeFileSync(options.out, encodeModel(model));
  if (options.json) printJson({ ...model.summary, ...(records ? { records: records.summary } : {}) });
  else tell(model, options.out);
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
  await takeRecords({ ...others, records }, needs, (labelled) => {
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
      'say which names are good, with --good, and which are bad, with --phishing, --malware or --spam',
    );
  const set = await readSet(options, new Set(rows?.all.map(({ domain }) => domain)), show);
  const trained = trainModel(set, {
    seed: options.seed,
    before: options.before,
    onProgress: (stage, done, all) => show(`${stage}: ${Math.floor((100 * done) / all)} %`),
  });
  show('measuring');
  return withQuality(trained, set);
}

async function readSet(
  options: Options,
  leftOut: ReadonlySet<string>,
  show: (text: string) => void,
): Promise<TrainingSet> {
  const set = new TrainingSet({ before: options.before });
  for (const label of [...threats, 'good', 'popular'] as const)
    for await (const { name, date } of scanLists(options[label])) {
      if (!leftOut.has(name)) set.add(name, label, date);
      show(`${set.size.toLocaleString('en')} names`);
    }
  return set;
}

function withQuality(model: RiskModel, { heldOut }: TrainingSet): RiskModel {
  const allBad = new Set(threats.flatMap((threat) => heldOut[threat]));
  const good = heldOut.good.filter((name) => !allBad.has(name));
  const quality: Partial<Record<(typeof threats)[number], ModelSummary['quality']['phishing']>> = {};
  for (const threat of threats) {
    const measured = measureModel(model, threat, heldOut[threat], good);
    if (measured) quality[threat] = measured.quality;
  }
  return { ...model, summary: { ...model.summary, quality: quality as ModelSummary['quality'] } };
}

function tell({ summary, records }: RiskModel, out: string): void {
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
  qualityTable(threats.flatMap((threat) => (quality[threat] ? [[threat, quality[threat]] as const] : [])));
}
