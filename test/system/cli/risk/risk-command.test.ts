import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { nameglass } from '../../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';
import { labelledNames } from '../../../tools/risk-model/labelled-names.ts';

interface Line {
  readonly domain: string;
  readonly risk_score: number;
  readonly components: readonly { readonly name: string; readonly risk_score: number }[];
  readonly evidence: readonly string[];
  readonly contributions?: Readonly<Record<string, readonly { readonly points: number }[]>>;
}

function linesOf(out: string): Line[] {
  return out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}

test('one JSON line is printed for a name: score, components, evidence', async () => {
  const { code, out, err } = await nameglass(['risk', 'www.secure-paypal-login-verify.top']);
  assert.equal(code, 0, err);
  const [line] = linesOf(out);
  assert.equal(line?.domain, 'secure-paypal-login-verify.top');
  assert.ok(line.risk_score >= 80, out);
  assert.equal(line.risk_score, Math.max(...line.components.map(({ risk_score }) => risk_score)));
  assert.deepEqual(line.evidence, ['domain name']);
});

test('several names give a line each, and what is no domain is reported without costing the others', async () => {
  const names = ['www.google.com', 'com', 'wallet-connect-airdrop.xyz', 'acme.github.io', 'no name'];
  const { code, out, err } = await nameglass(['risk', ...names]);
  assert.deepEqual(
    linesOf(out).map(({ domain }) => domain),
    ['google.com', 'wallet-connect-airdrop.xyz', 'acme.github.io'],
  );
  assert.equal(code, 2);
  assert.equal(err, 'nameglass: com, no name are neither files nor registrable domains\n');
});

test('RISK-12 a well-known domain scores 0 and says why, unless the option or the setting excludes it', async () => {
  const risk = async (...args: readonly string[]) => linesOf((await nameglass(['risk', ...args])).out)[0];
  const reasons = { zerolist: [{ reason: 'well-known domain', points: 0 }] };
  const known = await risk('google.com', '--reasons');
  assert.deepEqual([known?.risk_score, known?.contributions], [0, reasons]);
  assert.deepEqual(known?.components, [{ name: 'zerolist', risk_score: 0 }]);
  for (const option of [['--no-well-known'], ['--set', 'risk.wellKnownDomains=false']])
    assert.ok(((await risk('google.com', ...option))?.risk_score ?? 0) > 0, option.join(' '));
  assert.ok(((await risk('google.github.io'))?.risk_score ?? 0) > 0, 'a customer of a shared suffix');
});

test('a compressed file and standard input are read line by line, and lines without a domain are skipped', async (t) => {
  const names = '-\nexample.org\nwww.Example.com\t2026-01-01\r\n\n..\ncom\nxn--pypal-4ve.com';
  const file = join(temporaryDirectory(t), 'names.gz');
  writeFileSync(file, gzipSync(names));
  const answers = [await nameglass(['risk', file]), await nameglass(['risk', '-'], { input: names })];
  for (const { code, out, err } of answers) {
    assert.equal(code, 0, err);
    assert.deepEqual(
      linesOf(out).map(({ domain }) => domain),
      ['example.org', 'example.com', 'xn--pypal-4ve.com'],
    );
    assert.match(err, /^skipped 3 lines without/);
  }
});

test('with reasons, the points of each threat sum to its score', async () => {
  const { out } = await nameglass(['risk', '--reasons', 'wallet-connect-airdrop.xyz']);
  const [line] = linesOf(out);
  for (const { name, risk_score } of line?.components.slice(1) ?? []) {
    const parts = line?.contributions?.[name.replace('threat_profile_', '')] ?? [];
    assert.equal(
      parts.reduce((sum, { points }) => sum + points, 0),
      risk_score,
    );
  }
});

test('an argument that is neither a file nor a domain is reported in one line', async () => {
  for (const args of [
    [],
    ['com'],
    ['/nowhere/names.txt'],
    ['--model', '/nowhere', 'a.com'],
    ['--model', import.meta.filename, 'a.com'],
  ]) {
    const { code, out, err } = await nameglass(['risk', ...args]);
    assert.ok(code === 1 || code === 2);
    assert.equal(out, '');
    assert.match(err, /^nameglass: [^\n]+\n$/);
  }
});

test('a model is trained on lists and evaluated on the holdout set', async (t) => {
  const directory = temporaryDirectory(t);
  const fileOf = (label: string) => join(directory, `${label}.tsv`);
  const names = labelledNames(7000);
  for (const label of ['phishing', 'malware', 'spam', 'good', 'popular'] as const) {
    const lines = names.filter((one) => one.label === label).map(({ name, date }) => `${name}\t${date}`);
    writeFileSync(fileOf(label), lines.join('\n'));
  }
  const bad = ['phishing', 'malware', 'spam'].flatMap((label) => [`--${label}`, fileOf(label)]);
  const lists = [...bad, '--good', fileOf('good')];
  const first = join(directory, 'model.bin');
  const popular = ['--popular', fileOf('popular')];
  const trained = await nameglass([
    'risk',
    'train',
    ...lists,
    ...popular,
    '--out',
    first,
    '--seed',
    '3',
    '--json',
  ]);
  assert.equal(trained.code, 0, trained.err);
  const summary = JSON.parse(trained.out) as {
    readonly seed: number;
    readonly quality: Record<string, { auc: number }>;
  };
  assert.equal(summary.seed, 3);

  const measured = await nameglass(['risk', 'eval', '--model', first, '--held-out', ...lists, '--json']);
  const quality = JSON.parse(measured.out) as Record<string, { quality: { auc: number }; bands: unknown[] }>;
  assert.ok((quality['phishing']?.quality.auc ?? 0) > 0.95, measured.out);
  assert.equal(quality['phishing']?.quality.auc, summary.quality['phishing']?.auc);
  assert.equal(quality['spam']?.bands.length, 10);

  const table = await nameglass([
    'risk',
    'eval',
    '--model',
    first,
    '--since',
    '2025-01-01',
    '--match-tlds',
    ...lists,
  ]);
  assert.match(table.out, /^threat +bad +good +AUC/);
  assert.match(table.out, /\n90-99 /);
});

test('training without good and bad names is an error and writes nothing', async (t) => {
  const out = join(temporaryDirectory(t), 'model.bin');
  const { code, err } = await nameglass(['risk', 'train', '--out', out]);
  assert.deepEqual([code, existsSync(out)], [2, false]);
  assert.match(err, /--good/);
});
