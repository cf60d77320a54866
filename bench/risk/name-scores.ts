/** Scores of names by the model that comes with the package, against a bare loop that only divides the same bytes into lines. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { explainName } from '../../src/model/risk/name/explain-name.ts';
import { findNameParts } from '../../src/model/risk/name/name-parts.ts';
import { NameScorer } from '../../src/model/risk/name/name-scorer.ts';
import { readModel } from '../../src/product/risk/read-model.ts';
import { type BenchContext, type Result, resultOf } from '../harness/benchmark.ts';
import { fastest } from '../harness/fastest.ts';

const data = join(import.meta.dirname, '../../../shared/data/risk/newly-registered-full-feed-2026-08.txt.gz');
const rounds = 3;

export async function benchNameScores({ size, sized }: BenchContext): Promise<readonly Result[]> {
  const count = sized({ tiny: 1000, small: 20_000, full: 100_000 });
  const loaded = await fastest(rounds, () => void readModel());
  const scorer = new NameScorer(readModel());
  const names = namesFor(count, size === 'tiny');
  const [few, many] = [names.slice(0, count / 10), names].map((some) => Buffer.from(some.join('\n')));
  const score = (bytes: Buffer = Buffer.alloc(0)) => {
    let sum = 0;
    for (const name of bytes.toString('latin1').split('\n')) sum += scorer.findScores(name)?.phishing ?? 0;
    if (sum === 0) throw new Error('nothing was scored');
  };
  score(few);
  const lesser = await fastest(rounds, () => score(few));
  const greater = await fastest(rounds, () => score(many));
  const bare = await fastest(rounds, () => void many?.toString('latin1').split('\n').length);
  const parts = names.slice(0, 5000).flatMap((name) => findNameParts(name) ?? []);
  const explained = await fastest(rounds, () => {
    for (const one of parts) explainName(scorer, one, 'phishing');
  });
  return [
    resultOf({
      work: 'reading of the risk model',
      ours: { value: loaded.seconds * 1000, unit: 'ms' },
      wanted: { ours: { atMost: 200 } },
      cpuSeconds: loaded.cpuSeconds,
      memoryBytes: loaded.memoryBytes,
    }),
    resultOf({
      work: `scores of ${count.toLocaleString('en')} names, three threats each`,
      ours: { value: count / greater.seconds, unit: 'names/s' },
      peer: { name: 'division into lines', value: count / bare.seconds, unit: 'names/s' },
      wanted: { ours: { atLeast: 50_000 }, growthAt10x: { atMost: 1.2 } },
      growthAt10x: greater.seconds / (10 * lesser.seconds),
      cpuSeconds: greater.cpuSeconds,
      memoryBytes: greater.memoryBytes,
    }),
    resultOf({
      work: 'scores of names with reasons',
      ours: { value: parts.length / explained.seconds, unit: 'names/s' },
      cpuSeconds: explained.cpuSeconds,
      memoryBytes: explained.memoryBytes,
    }),
  ];
}

/** Real ones where there are any, made up otherwise. */
function namesFor(count: number, isMadeUp: boolean): readonly string[] {
  if (isMadeUp || !existsSync(data))
    return Array.from({ length: count }, (_, at) => `secure-${at * 7919}-shop.example-${at}.com`);
  return gunzipSync(readFileSync(data)).toString('latin1').split('\n').filter(Boolean).slice(0, count);
}
