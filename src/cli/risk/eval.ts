/** `nameglass risk eval`: how well a model tells bad names, or the records of bad domains, from good ones. */
import type { Command } from 'commander';
import { Problem } from '../../model/problem.ts';
import type { ScoreBand } from '../../model/risk/measure.ts';
import { findNameParts } from '../../model/risk/name-parts.ts';
import { NameScorer } from '../../model/risk/name-scorer.ts';
import type { Quality, RiskModel } from '../../model/risk/risk-model.ts';
import { seededRandom } from '../../model/risk/seeded-random.ts';
import { type Threat, threats } from '../../model/risk/threat.ts';
import { isHeldOut } from '../../model/risk/train/held-out.ts';
import { matchSuffixes, type Sides } from '../../model/risk/train/match-suffixes.ts';
import { type Measured, measureModel } from '../../model/risk/train/measure-model.ts';
import { type MeasuredRecords, RecordMeasure } from '../../model/risk/train/record-measure.ts';
import { readModel } from '../../product/risk/read-model.ts';
import { readDay } from '../argument-readers.ts';
import type { CliNeeds } from '../needs.ts';
import { print, printJson, printTable } from '../output.ts';
import { withSettings } from '../settings-options.ts';
import { type ListOptions, scanLists, withLists } from './labelled-lists.ts';
import { qualityTable } from './quality-table.ts';
import { type RecordOptions, recordsHelp, takeRecords, withRecords } from './records-source.ts';

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

Names that a model was trained on flatter it: say --held-out, or measure on names that are newer than it. A name that is on a list of
bad ones is not counted among the good ones.
${recordsHelp}`;

const matchSeed = 1;

export function addRiskEval(risk: Command, needs: CliNeeds): void {
  const command = risk.command('eval').description('measure a model on lists of bad and good names');
  withRecords(withLists(withSettings(command)))
    .option('--model <file>', 'the model; without it, the one that comes with the package')
    .option('--held-out', 'only the names that training leaves out')
    .option(
      '--since <day>',
      'only names first seen since this day; names of a list without days are taken as they are',
      readDay,
    )
    .option('--match-tlds', 'as many good names as bad ones of every top-level domain')
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    // What `risk` itself takes too, as --json, ends up there.
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
  const measured = new Map<Threat, Measured>();
  for (const threat of threats) {
    const found = measureSides(model, threat, { bad: lists[threat], good }, options);
    if (found) measured.set(threat, found);
  }
  if (measured.size === 0)
    throw new Problem(
      'invalid-parameters',
      'there is nothing to measure on: give a list of bad names and one of good names',
    );
  if (options.json) printJson(Object.fromEntries(measured));
  else tell(measured);
}

async function evaluateRecords(
  options: Options & { readonly records: string },
  needs: CliNeeds,
): Promise<void> {
  const model = readModel(options.model);
  if (!model.records)
    throw new Problem(
      'invalid-parameters',
      'this model knows of names alone: risk train --records teaches it',
    );
  const measure = new RecordMeasure(model.records, new NameScorer(model, { doubtsSuffixes: true }));
  await takeRecords(options, needs, (labelled) => {
    measure.add(labelled);
    return true;
  });
  const measured = threats.flatMap((threat) => {
    const found = measure.find(threat);
    return found ? [[threat, found] as const] : [];
  });
  if (measured.length === 0)
    throw new Problem(
      'invalid-parameters',
      'there is nothing to measure on: records of both kinds are needed',
    );
  if (options.json) printJson(Object.fromEntries(measured));
  else tellRecords(measured);
}

function tellRecords(measured: readonly (readonly [Threat, MeasuredRecords])[]): void {
  tellFigures(
    measured.flatMap(([threat, { quality, nameAlone }]) => [
      [threat, quality] as const,
      [`${threat}, by the name alone`, nameAlone] as const,
    ]),
    measured.map(([threat, { bands }]) => [threat, bands] as const),
    'records',
  );
}

function measureSides(
  model: RiskModel,
  threat: Threat,
  sides: Sides,
  options: Options,
): Measured | undefined {
  const { bad, good } = options.matchTlds ? matchSuffixes(sides, seededRandom(matchSeed)) : sides;
  return measureModel(model, threat, bad, good);
}

/** Domains of the lists, each once. */
async function namesOf(files: readonly string[] | undefined, options: Options): Promise<readonly string[]> {
  const names = new Set<string>();
  for (const file of files ?? []) {
    const undated: string[] = [];
    let hasDays = false;
    for await (const { name, date } of scanLists([file])) {
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

function tell(measured: ReadonlyMap<Threat, Measured>): void {
  tellFigures(
    [...measured].flatMap(([threat, { quality, labelAlone }]) => [
      [threat, quality] as const,
      [`${threat}, without suffix`, labelAlone] as const,
    ]),
    [...measured].map(([threat, { bands }]) => [threat, bands] as const),
    'names',
  );
}

function tellFigures(
  qualities: readonly (readonly [what: string, quality: Quality])[],
  banded: readonly (readonly [threat: Threat, bands: readonly ScoreBand[]])[],
  judged: 'names' | 'records',
): void {
  qualityTable(qualities);
  for (const [threat, bands] of banded) {
    print(
      `\nscores for ${threat}, and the share of bad ${judged} among them if there were as many bad as good ones`,
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
