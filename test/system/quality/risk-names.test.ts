/**
 * Quality on real names. The model of the package is evaluated on the holdout set; that older names predict newer ones is shown with a
 * small model trained here. `nameglass risk train --before` and `risk eval --since --match-tlds` do the same on all data.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Threat } from '../../../src/model/risk/threat.ts';
import { defaultModelFile, readModel } from '../../../src/product/risk/read-model.ts';
import { evaluateNames, type NameEvaluation } from '../../../tools/risk-model/evaluate-names.ts';
import { isHeldOut } from '../../../tools/risk-model/held-out.ts';
import { matchSuffixes } from '../../../tools/risk-model/match-suffixes.ts';
import { seededRandom } from '../../../tools/risk-model/seeded-random.ts';
import { trainNameModel } from '../../../tools/risk-model/train-name-model.ts';
import { TrainingSet } from '../../../tools/risk-model/training-set.ts';

const data = join(import.meta.dirname, '../../../../shared/data');
const skip = existsSync(data) ? false : 'skipped: no shared data';

interface Row {
  readonly name: string;
  readonly date: string;
}

const read = new Map<string, readonly string[]>();

/** A sample of the lines of a list, names and dates. */
function rowsOf(file: string, step = 1): readonly Row[] {
  const rows: Row[] = [];
  const lines = linesOf(file);
  for (let at = 0; at < lines.length; at += step) {
    const [name = '', date = ''] = (lines[at] as string).split('\t', 2);
    rows.push({ name, date });
  }
  return rows;
}

function linesOf(file: string): readonly string[] {
  const known = read.get(file);
  if (known) return known;
  const text = gunzipSync(readFileSync(join(data, file))).toString('latin1');
  const lines = text.trimEnd().split('\n');
  read.set(file, lines);
  return lines;
}

const phishing = 'risk/phishing.tsv.gz';
const registered = 'names/newly-registered.tsv.gz';
const fullFeed = 'risk/newly-registered-full-feed-2026-08.txt.gz';

function heldOutOf(file: string): readonly string[] {
  return linesOf(file).flatMap((line) => {
    const name = line.split('\t', 1)[0] as string;
    return isHeldOut(name) ? [name] : [];
  });
}

function show(t: TestContext, what: string, { quality, bands }: NameEvaluation): void {
  const { auc, foundAt, bad, good } = quality;
  t.diagnostic(`${what}: ${bad} bad, ${good} good, AUC ${auc.toFixed(4)}, found ${JSON.stringify(foundAt)}`);
  t.diagnostic(
    bands.map(({ from, balancedShare }) => `${from}: ${(100 * balancedShare).toFixed(0)} %`).join(', '),
  );
}

test('the model of the package is at most 5 MB and describes its training data', () => {
  assert.ok(readFileSync(defaultModelFile).length <= 5_000_000);
  const { summary } = readModel();
  assert.ok(summary.trainedOn.phishing > 700_000 && summary.trainedOn.good > 2_000_000);
  assert.match(summary.datesTo ?? '', /^2026-/);
  assert.ok((summary.quality.phishing?.auc ?? 0) > 0.9);
});

for (const [threat, file, aucMin, foundMin] of [
  ['phishing', phishing, 0.92, 0.52],
  ['malware', 'risk/malware.tsv.gz', 0.92, 0.51],
  ['spam', 'risk/spam.tsv.gz', 0.905, 0.5],
] as const satisfies readonly (readonly [Threat, string, number, number])[]) {
  test(`${threat} is separated from held-out newly registered names, and scores are calibrated`, {
    skip,
  }, (t) => {
    const bad = heldOutOf(file);
    const known = new Set(bad);
    const good = heldOutOf(registered).filter((name, at) => at % 3 === 0 && !known.has(name));
    const measured = evaluateNames(readModel(), threat, bad, good);
    assert.ok(measured);
    show(t, threat, measured);
    assert.ok(measured.quality.auc >= aucMin, `AUC ${measured.quality.auc}`);
    assert.ok(measured.quality.foundAt['1'] >= foundMin, `found at 1 % ${measured.quality.foundAt['1']}`);
    assert.ok(
      (measured.bands[9]?.balancedShare ?? 0) >= 0.9,
      'nine in ten of those with 90 and more are bad',
    );
  });
}

test('phishing names of a year are predicted by earlier names, with matched top-level domains', {
  skip,
}, (t) => {
  const set = new TrainingSet({ before: '2026-01-01' });
  for (const { name, date } of rowsOf(phishing, 4)) if (date >= '2024') set.add(name, 'phishing', date);
  for (const { name, date } of rowsOf(registered, 12)) set.add(name, 'good', date);
  const model = trainNameModel(set, { seed: 1, bucketBits: 20, trees: 30 });
  const bad = rowsOf(phishing, 3)
    .filter(({ date }) => date >= '2026')
    .map(({ name }) => name);
  const good = rowsOf(fullFeed, 2).map(({ name }) => name);
  const sides = matchSuffixes({ bad, good }, seededRandom(1));
  const measured = evaluateNames(model, 'phishing', sides.bad, sides.good);
  assert.ok(measured);
  show(t, 'in small, from one year to the next', measured);
  t.diagnostic(`without suffix: AUC ${measured.labelAlone.auc.toFixed(4)}`);
  assert.ok(measured.quality.auc >= 0.76, `AUC ${measured.quality.auc}`);
});
