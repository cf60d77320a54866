/**
 * The lookalike matcher over names, against GNU grep that searches the same file for the same terms as plain substrings. Terms are labels
 * of popular sites. Ten times the terms, variations inside labels, one term more, and one new term over all names.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Matcher } from '../src/model/lookalike/matcher.ts';
import { madeNames, newNames, popularNames, termsOf } from './data/known-names.ts';
import { type Bench, type BenchContext, resultOf } from './harness/benchmark.ts';
import { fastest } from './harness/fastest.ts';
import type { Used } from './harness/usage.ts';

const rounds = 3;
const lf = 10;

function matcherOf(terms: readonly string[], substringVariations: boolean, previous?: Matcher): Matcher {
  return new Matcher(
    terms.map((text) => ({ text, substringVariations })),
    previous,
  );
}

function scan(matcher: Matcher, bytes: Uint8Array, times = rounds): Promise<Used<void>> {
  return fastest(times, () => matcher.scanLines(bytes, () => undefined));
}

function firstLines(bytes: Buffer, lines: number): Buffer {
  let at = 0;
  for (let line = 0; line < lines; line += 1) at = bytes.indexOf(lf, at) + 1;
  return bytes.subarray(0, at);
}

async function grepSeconds(directory: string, file: string, terms: readonly string[]): Promise<number> {
  const list = join(directory, 'terms');
  writeFileSync(list, `${terms.join('\n')}\n`);
  const { seconds } = await fastest(rounds, () => {
    // It ends with 1 where nothing matches.
    const { status } = spawnSync('grep', ['-c', '-F', '-f', list, file]);
    if (status !== 0 && status !== 1) throw new Error(`grep ended with ${status}`);
  });
  return seconds;
}

function namesFor({ size, sized }: BenchContext): { readonly all: string[]; readonly popular: string[] } {
  if (size === 'tiny') return { all: madeNames(5000), popular: madeNames(1000) };
  const popular = popularNames();
  return { all: [...newNames(sized({ tiny: 0, small: 200_000, full: 3_000_000 })), ...popular], popular };
}

export const bench: Bench = async (context) => {
  const { directory, sized } = context;
  const { all, popular } = namesFor(context);
  const bytes = Buffer.from(`${all.join('\n')}\n`);
  const file = join(directory, 'names');
  writeFileSync(file, bytes);
  const count = sized({ tiny: 100, small: 1000, full: 1000 });
  const terms = termsOf(popular, count);
  const grep = await grepSeconds(directory, file, terms);
  const some = await scan(matcherOf(terms, false), bytes);
  const many = await scan(matcherOf(termsOf(popular, 10 * count), false), bytes);
  const insideNames = Math.min(all.length, sized({ tiny: 500, small: 50_000, full: 300_000 }));
  const inside = await scan(matcherOf(termsOf(popular, 5 * count), true), firstLines(bytes, insideNames), 2);
  const known = matcherOf(terms, false);
  const rebuilt = await fastest(5, () => void matcherOf([...terms, 'acmeacmeacme'], false, known));
  const backMatched = await scan(matcherOf(['paypal'], true), bytes, 1);
  const named = `${all.length.toLocaleString('en')} names`;
  const usage = ({ cpuSeconds, memoryBytes }: Used<void>) => ({ cpuSeconds, memoryBytes });
  return [
    resultOf({
      work: `lookalikes of ${count.toLocaleString('en')} terms among ${named}`,
      ours: { value: all.length / some.seconds, unit: 'names/s' },
      peer: { name: 'grep -F, substrings', value: all.length / grep, unit: 'names/s' },
      wanted: { ratio: { atLeast: 0.16 }, growthAt10x: { atMost: 2 } },
      growthAt10x: many.seconds / some.seconds,
      ...usage(some),
    }),
    resultOf({
      work: `lookalikes of ${(5 * count).toLocaleString('en')} terms, also inside labels`,
      ours: { value: insideNames / inside.seconds, unit: 'names/s' },
      wanted: { ours: { atLeast: 40_000 } },
      ...usage(inside),
    }),
    resultOf({
      work: `one term more at ${count.toLocaleString('en')}`,
      ours: { value: rebuilt.seconds * 1000, unit: 'ms' },
      wanted: { ours: { atMost: 100 } },
      ...usage(rebuilt),
    }),
    resultOf({
      work: `one new term over ${named}, in memory`,
      ours: { value: backMatched.seconds, unit: 's' },
      wanted: { ours: { atMost: 10 } },
      ...usage(backMatched),
    }),
  ];
};
