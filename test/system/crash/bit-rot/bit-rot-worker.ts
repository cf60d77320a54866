/** Flips bits in a copy of the sample, asks its store, and reports what it answered. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { flipBit } from '../../../harness/damage.ts';
import { type Answers, ask, isIntactDatabase } from './ask-stores.ts';

export interface Flip {
  /** Below the data directory. */
  readonly file: string;
  readonly at: number;
  readonly bit: number;
}

/** Flips that do not meet: no question needs two of the damaged files. */
export interface Round {
  readonly kind: string;
  readonly section: string;
  readonly flips: readonly Flip[];
}

export interface RoundOutcome extends Round {
  /** Questions whose answer was neither right nor an error. */
  readonly wrong: readonly string[];
  /** Those of them that gave something else, not just less. */
  readonly altered: readonly string[];
  /** Flips that verification did not find. */
  readonly unnamed: readonly Flip[];
}

const expected = new Map<string, Answers>();

async function tryRound(sample: string, round: Round): Promise<RoundOutcome> {
  const data = `${sample}-${process.pid}`;
  const { section, flips } = round;
  try {
    cpSync(sample, data, { recursive: true });
    const right = expected.get(section) ?? (await ask(section, data));
    if (!expected.has(section)) {
      expected.set(section, right);
      rmSync(data, { recursive: true });
      cpSync(sample, data, { recursive: true });
    }
    for (const { file, at, bit } of flips) flipBit(join(data, file), at, bit);
    const broken = flips.filter(({ file }) => file.endsWith('.db') && !isIntactDatabase(join(data, file)));
    const { answers, named } = await ask(section, data);
    const wrong = Object.keys(right.answers).filter(
      (question) => ![undefined, right.answers[question]].includes(answers[question]),
    );
    return {
      ...round,
      wrong,
      altered: wrong.filter((question) => !['[null]', '[]', 'nothing'].includes(answers[question] ?? '')),
      unnamed: flips.filter(
        (flip) => !broken.includes(flip) && !named.some((text) => text.includes(flip.file)),
      ),
    };
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

process.on('message', async ({ sample, rounds }: { sample: string; rounds: readonly Round[] }) => {
  for (const round of rounds) {
    process.send?.({ begun: round });
    process.send?.({ done: await tryRound(sample, round) });
  }
  process.disconnect();
});
