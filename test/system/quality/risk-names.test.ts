/**
 * Quality on real names. The model of the package is evaluated on the holdout set; that older names predict newer ones is shown with a
 * small model trained here. `nameglass risk train --before` and `risk eval --since --match-tlds` do the same on all data.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { findNameParts } from '../../../src/model/risk/name/name-parts.ts';
import { NameScorer } from '../../../src/model/risk/name/name-scorer.ts';
import type { Threat } from '../../../src/model/risk/threat.ts';
import { defaultModelFile, readModel } from '../../../src/product/risk/read-model.ts';
import { readWellKnownDomains } from '../../../src/product/risk/well-known-domains.ts';
import { evaluateNames, type NameEvaluation } from '../../../tools/risk-model/evaluate-names.ts';
import { evaluatePopular, overallScore } from '../../../tools/risk-model/evaluate-popular.ts';
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
  t.diagnostic(bands.map(({ from, badShare }) => `${from}: ${(100 * badShare).toFixed(1)} %`).join(', '));
}

test('the model of the package is at most 5 MB and describes its training data', () => {
  assert.ok(readFileSync(defaultModelFile).length <= 5_000_000);
  const { summary } = readModel();
  assert.ok(summary.trainedOn.phishing > 700_000 && summary.trainedOn.good > 2_000_000);
  assert.match(summary.datesTo ?? '', /^2026-/);
  assert.ok((summary.quality.phishing?.auc ?? 0) > 0.87);
});

const scorer = new NameScorer(readModel());

for (const [threat, file, aucMin] of [
  ['phishing', phishing, 0.88],
  ['malware', 'risk/malware.tsv.gz', 0.87],
  ['spam', 'risk/spam.tsv.gz', 0.85],
] as const satisfies readonly (readonly [Threat, string, number])[]) {
  test(`${threat} is separated from held-out newly registered names, and scores mean what they say`, {
    skip,
  }, (t) => {
    const bad = heldOutOf(file);
    const known = new Set(bad);
    const good = heldOutOf(registered).filter((name, at) => at % 3 === 0 && !known.has(name));
    const measured = evaluateNames(scorer, threat, { bad, good });
    assert.ok(measured);
    show(t, threat, measured);
    assert.ok(measured.quality.auc >= aucMin, `AUC ${measured.quality.auc}`);
    // Few spam names have a high score, too few for a share.
    if (threat === 'spam') return;
    assert.ok((measured.bands[7]?.badShare ?? 0) >= 0.3, 'about one in three of those with 70 are bad');
    assert.ok((measured.bands[8]?.badShare ?? 0) >= 0.4, 'nearly every second of those with 80 is bad');
    assert.ok((measured.bands[9]?.badShare ?? 0) >= 0.65, 'two in three of those with 90 are bad');
  });
}

interface Ranked {
  readonly name: string;
  readonly rank: number;
}

/** Popular names that the model was not trained on: the held-out ones, and the most popular. */
function popularNames(): readonly Ranked[] {
  return linesOf('names/popular.tsv.gz').flatMap((line) => {
    const [name = '', rank = ''] = line.split('\t', 2);
    return Number(rank) <= 1000 || isHeldOut(name) ? [{ name, rank: Number(rank) }] : [];
  });
}

test('few ordinary popular names of any top-level domain are flagged', { skip }, (t) => {
  const { ordinary, byTld } = evaluatePopular(scorer, popularNames());
  t.diagnostic(JSON.stringify({ ordinary, byTld: byTld.slice(0, 5) }));
  assert.ok(byTld.length >= 20);
  for (const { tld, from70 } of byTld) assert.ok(from70 <= 0.03, `.${tld} ${from70}`);
  assert.ok(ordinary.from70 <= 0.005 && ordinary.from90 <= 0.001);
  assert.ok(ordinary.median <= 20);
});

test('no top-level domain with a thousand popular names has many that are flagged', { skip }, (t) => {
  const all = rowsOf('names/popular.tsv.gz').map(({ name, date }) => ({ name, rank: Number(date) }));
  const { byTld } = evaluatePopular(scorer, all);
  t.diagnostic(JSON.stringify({ tlds: byTld.length, most: byTld.slice(0, 5) }));
  assert.ok(byTld.length >= 120);
  for (const { tld, from70 } of byTld) assert.ok(from70 <= 0.03, `.${tld} ${from70}`);
});

test('the most popular names are distinguished from names that imitate them', { skip }, (t) => {
  const { top } = evaluatePopular(scorer, popularNames());
  t.diagnostic(JSON.stringify(top));
  assert.ok(top.names >= 700 && top.over40 <= 0.02, `${top.over40}`);
});

test('the well-known sites among the most popular names are listed in the package', { skip }, (t) => {
  const wellKnown = readWellKnownDomains();
  const top = popularNames().filter(({ rank }) => rank <= 1000);
  const listed = top.filter(({ name }) => wellKnown.has(name)).length;
  t.diagnostic(`${listed} of ${top.length}`);
  // The others are advertising and redirection hosts, mirrors of unlicensed sites, and suffixes of registries.
  assert.ok(listed >= 465, `${listed} of ${top.length}`);
});

test('phishing is separated from popular names, and a quarter of it is flagged', { skip }, (t) => {
  const bad = heldOutOf(phishing);
  const good = popularNames().flatMap(({ name, rank }) => (rank > 20_000 ? [name] : []));
  const measured = evaluateNames(scorer, 'phishing', { bad, good });
  assert.ok(measured);
  show(t, 'against popular names', measured);
  assert.ok(measured.quality.auc >= 0.86, `AUC ${measured.quality.auc}`);
  const scores = bad.flatMap((name) => findNameParts(name) ?? []).map((parts) => overallScore(scorer, parts));
  const flagged = scores.filter((score) => score >= 70).length / scores.length;
  t.diagnostic(`of phishing names ${(100 * flagged).toFixed(1)} % have 70 and more`);
  assert.ok(flagged >= 0.25, `${flagged}`);
});

test('phishing names of a year are predicted by earlier names, with matched top-level domains', {
  skip,
}, (t) => {
  const set = new TrainingSet({ before: '2026-01-01' });
  for (const { name, date } of rowsOf(phishing, 4)) if (date >= '2024') set.add(name, 'phishing', { date });
  for (const { name, date } of rowsOf(registered, 12)) set.add(name, 'good', { date });
  const model = trainNameModel(set, { seed: 1, bucketBits: 20, trees: 30 });
  const bad = rowsOf(phishing, 3)
    .filter(({ date }) => date >= '2026')
    .map(({ name }) => name);
  const good = rowsOf(fullFeed, 2).map(({ name }) => name);
  const sides = matchSuffixes({ bad, good }, seededRandom(1));
  const measured = evaluateNames(new NameScorer(model), 'phishing', sides);
  assert.ok(measured);
  show(t, 'in small, from one year to the next', measured);
  t.diagnostic(`without suffix: AUC ${measured.labelAlone.auc.toFixed(4)}`);
  assert.ok(measured.quality.auc >= 0.76, `AUC ${measured.quality.auc}`);
});
