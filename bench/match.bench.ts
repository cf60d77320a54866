/**
 * The lookalike matcher over real names, against GNU grep that searches the same file for the same terms as plain substrings.
 * Terms are labels of popular sites, evenly spread over the list. Without the shared data there is nothing to measure.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Matcher } from '../src/model/lookalike/matcher.ts';
import { want } from './want.ts';

const data = join(import.meta.dirname, '../../shared/data/names');
const namesMin = 3_000_000;
const insideNames = 300_000;
const rounds = 3;
const lf = 10;

function firstColumn(file: string): string[] {
  const lines = gunzipSync(readFileSync(join(data, file)))
    .toString('latin1')
    .split('\n');
  return lines.filter(Boolean).map((line) => line.split('\t')[0] as string);
}

function termsOf(popular: readonly string[], count: number): string[] {
  const labels = popular.map((name) => name.slice(0, name.indexOf('.')));
  const usable = [...new Set(labels.filter((label) => /^[a-z]{7,20}$/.test(label)))];
  const step = Math.floor(usable.length / count);
  return Array.from({ length: count }, (_, index) => usable[index * step] as string);
}

function matcherOf(terms: readonly string[], substringVariations: boolean, previous?: Matcher): Matcher {
  return new Matcher(
    terms.map((text) => ({ text, substringVariations })),
    previous,
  );
}

/** The best of a few rounds: other work on the machine only ever adds. */
function fastest(work: () => void, times = rounds): number {
  let seconds = Number.POSITIVE_INFINITY;
  for (let round = 0; round < times; round += 1) {
    const began = performance.now();
    work();
    seconds = Math.min(seconds, (performance.now() - began) / 1000);
  }
  return seconds;
}

interface Scanned {
  readonly seconds: number;
  readonly hits: number;
}

function scan(matcher: Matcher, bytes: Uint8Array, times?: number): Scanned {
  let hits = 0;
  const seconds = fastest(() => {
    hits = 0;
    matcher.scanLines(bytes, () => {
      hits += 1;
    });
  }, times);
  return { seconds, hits };
}

function printRate(what: string, names: number, { seconds, hits }: Scanned): void {
  const speed = Math.round(names / seconds).toLocaleString('en');
  console.log(`${what}: ${speed} names/s, ${hits.toLocaleString('en')} names with a match`);
}

function firstLines(bytes: Buffer, lines: number): Buffer {
  let at = 0;
  for (let line = 0; line < lines; line += 1) at = bytes.indexOf(lf, at) + 1;
  return bytes.subarray(0, at);
}

function grepSeconds(directory: string, file: string, terms: readonly string[]): number {
  const list = join(directory, 'terms');
  writeFileSync(list, `${terms.join('\n')}\n`);
  return fastest(() => {
    const { status } = spawnSync('grep', ['-c', '-F', '-f', list, file]);
    if (status !== 0) throw new Error('grep found nothing');
  });
}

function benchTerms(
  bytes: Buffer,
  names: number,
  popular: readonly string[],
  grep: (terms: string[]) => number,
) {
  const seconds = new Map<number, number>();
  for (const count of [1, 100, 1000, 10_000]) {
    const scanned = scan(matcherOf(termsOf(popular, count), false), bytes);
    printRate(`${count.toLocaleString('en')} terms`, names, scanned);
    seconds.set(count, scanned.seconds);
  }
  const thousand = seconds.get(1000) as number;
  want('1 000 terms, of the time of grep', thousand / grep(termsOf(popular, 1000)), '<=', 6);
  want('10 000 terms, of the time of 1 000', (seconds.get(10_000) as number) / thousand, '<=', 2);
}

function benchInside(bytes: Buffer, popular: readonly string[]): void {
  const part = firstLines(bytes, insideNames);
  for (const count of [1000, 5000]) {
    const scanned = scan(matcherOf(termsOf(popular, count), true), part, 2);
    printRate(`${count.toLocaleString('en')} terms with variations inside labels`, insideNames, scanned);
    want('thousand names a second', insideNames / scanned.seconds / 1000, '>=', 40);
  }
}

function benchRebuild(popular: readonly string[]): void {
  const terms = termsOf(popular, 5000);
  const known = matcherOf(terms, false);
  const seconds = fastest(
    () => matcherOf([...terms, `acme${Math.random().toString(36).slice(2)}`], false, known),
    5,
  );
  want('one term more at 5 000, ms', seconds * 1000, '<=', 100);
}

export async function bench(): Promise<void> {
  if (!existsSync(data)) {
    console.log('skipped: no shared data');
    return;
  }
  const popular = firstColumn('popular.tsv.gz');
  const all = [...firstColumn('newly-registered.tsv.gz'), ...popular];
  if (all.length < namesMin) throw new Error(`only ${all.length} names`);
  const bytes = Buffer.from(`${all.join('\n')}\n`);
  const directory = mkdtempSync(join(tmpdir(), 'nameglass-match-'));
  try {
    const file = join(directory, 'names');
    writeFileSync(file, bytes);
    console.log(`${all.length.toLocaleString('en')} names, ${(bytes.length / 1e6).toFixed(0)} MB`);
    benchTerms(bytes, all.length, popular, (terms) => grepSeconds(directory, file, terms));
    benchInside(bytes, popular);
    benchRebuild(popular);
    const backMatched = scan(matcherOf(['paypal'], true), bytes, 1);
    want(`one new term over ${all.length.toLocaleString('en')} names, s`, backMatched.seconds, '<=', 10);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
