/** `nameglass risk train`: a model from labelled lists. */
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { Problem } from '../../model/problem.ts';
import { encodeModel } from '../../model/risk/model-file.ts';
import type { ModelSummary, RiskModel } from '../../model/risk/risk-model.ts';
import { threats } from '../../model/risk/threat.ts';
import { measureModel } from '../../model/risk/train/measure-model.ts';
import { trainModel } from '../../model/risk/train/train-model.ts';
import { TrainingSet } from '../../model/risk/train/training-set.ts';
import { collect, readDay, readWhole } from '../argument-readers.ts';
import { print, printJson } from '../output.ts';
import { progressLine } from '../progress-line.ts';
import { withSettings } from '../settings-options.ts';
import { type ListOptions, scanLists, withLists } from './labelled-lists.ts';
import { qualityTable } from './quality-table.ts';

interface Options extends ListOptions {
  readonly out: string;
  readonly popular?: readonly string[];
  readonly seed: number;
  readonly before?: string;
  readonly json?: boolean;
}

const help = `
Example:
  nameglass risk train --phishing phishing.tsv.gz --malware malware.tsv --spam spam.txt --good registered.tsv.gz --out risk.bin

A line is a name and, after a tab, the day it was first seen (YYYY-MM-DD) where that is known: newer names count for more. One name in
twenty, always the same ones, is left out to measure the model; \`risk eval --held-out\` measures on those again. The same lists and the
same seed give the same bytes. docs/risk.md tells what the figures mean, and how easily they flatter.
`;

export function addRiskTrain(risk: Command): void {
  const command = risk.command('train').description('train a model on lists of bad and good names');
  withLists(withSettings(command))
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
    .action((_, self: Command) => train(self.optsWithGlobals<Options>()));
}

async function train(options: Options): Promise<void> {
  if (!threats.some((threat) => options[threat]) || !options.good)
    throw new Problem(
      'invalid-parameters',
      'say which names are good, with --good, and which are bad, with --phishing, --malware or --spam',
    );
  const progress = progressLine();
  const set = await readSet(options, (text) => progress.show(text));
  const trained = trainModel(set, {
    seed: options.seed,
    before: options.before,
    onProgress: (stage, done, all) => progress.show(`${stage}: ${Math.floor((100 * done) / all)} %`),
  });
  progress.show('measuring');
  const model = withQuality(trained, set);
  progress.clear();
  writeFileSync(options.out, encodeModel(model));
  if (options.json) printJson(model.summary);
  else tell(model.summary, options.out);
}

async function readSet(options: Options, show: (text: string) => void): Promise<TrainingSet> {
  const set = new TrainingSet({ before: options.before });
  for (const label of [...threats, 'good', 'popular'] as const)
    for await (const { name, date } of scanLists(options[label])) {
      set.add(name, label, date);
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

function tell({ trainedOn, quality }: ModelSummary, out: string): void {
  const counts = [...threats, 'good' as const].map(
    (label) => `${trainedOn[label].toLocaleString('en')} ${label}`,
  );
  print(`trained on ${counts.join(', ')} names; the model is in ${out}`);
  qualityTable(threats.flatMap((threat) => (quality[threat] ? [[threat, quality[threat]] as const] : [])));
}
