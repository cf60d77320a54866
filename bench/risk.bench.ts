/**
 * Scores of names by the model that comes with the package, against a bare loop that only divides the same bytes into lines, and
 * against itself with a tenth of the names. Without the shared data the names are made up.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { explainName } from '../src/model/risk/explain-name.ts';
import { findNameParts } from '../src/model/risk/name-parts.ts';
import { NameScorer } from '../src/model/risk/name-scorer.ts';
import { readModel } from '../src/product/risk/read-model.ts';
import { want } from './want.ts';

const data = join(import.meta.dirname, '../../shared/data/risk/newly-registered-full-feed-2026-08.txt.gz');
const namesMax = 100_000;
const rounds = 3;

function names(): readonly string[] {
  if (!existsSync(data))
    return Array.from({ length: namesMax }, (_, at) => `secure-${at * 7919}-shop.example-${at}.com`);
  return gunzipSync(readFileSync(data)).toString('latin1').split('\n').filter(Boolean).slice(0, namesMax);
}

/** The best of a few rounds: other work on the machine only ever adds. */
function fastestSeconds(work: () => void, times = rounds): number {
  let seconds = Number.POSITIVE_INFINITY;
  for (let round = 0; round < times; round += 1) {
    const began = performance.now();
    work();
    seconds = Math.min(seconds, (performance.now() - began) / 1000);
  }
  return seconds;
}

/** Millions of lines, or however many these names make when they are taken again and again. */
function linesOf(all: readonly string[], count: number): Buffer {
  return Buffer.from(Array.from({ length: count }, (_, at) => all[at % all.length]).join('\n'));
}

function scoreSeconds(scorer: NameScorer, bytes: Buffer): number {
  let sum = 0;
  const seconds = fastestSeconds(() => {
    for (const name of bytes.toString('latin1').split('\n')) sum += scorer.findScores(name)?.phishing ?? 0;
  });
  if (sum === 0) throw new Error('nothing was scored');
  return seconds;
}

export async function bench(): Promise<void> {
  const loadSeconds = fastestSeconds(() => readModel());
  want('the model is read in ms', loadSeconds * 1000, '<=', 200);
  const scorer = new NameScorer(readModel());
  const all = names();
  const [few, many] = [linesOf(all, namesMax / 10), linesOf(all, namesMax)];
  scoreSeconds(scorer, few);
  const [tenth, whole] = [scoreSeconds(scorer, few), scoreSeconds(scorer, many)];
  const bare = fastestSeconds(() => many.toString('latin1').split('\n').length);
  console.log(
    `${namesMax.toLocaleString('en')} names, three threats each: ${(whole / bare).toFixed(0)} × the time of dividing lines`,
  );
  want('thousand names a second', namesMax / whole / 1000, '>=', 50);
  want('ten times the names, times the time', whole / tenth, '<=', 12);
  const explained = all.slice(0, 5000).flatMap((name) => findNameParts(name) ?? []);
  const seconds = fastestSeconds(() => {
    for (const parts of explained) explainName(scorer, parts, 'phishing');
  });
  console.log(`with reasons: ${Math.round(explained.length / seconds).toLocaleString('en')} names/s`);
}
