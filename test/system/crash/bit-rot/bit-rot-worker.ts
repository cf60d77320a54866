/** Makes samples, flips bits in copies of them, and reports what their stores answered. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { flipBit } from '../../../harness/damage.ts';
import { type Answers, ask } from './ask-stores.ts';
import { type DatabaseFlip, tryDatabaseFlip } from './flip-database.ts';
import { makeSample, reopenSample } from './stored-sample.ts';

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
  /** Flips that verification did not find. */
  readonly unnamed: readonly Flip[];
}

export type Work =
  | { readonly make: string; readonly isKilled: boolean }
  | { readonly sample: string; readonly rounds: readonly Round[] }
  | { readonly databaseFlips: readonly DatabaseFlip[] };

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
    const { answers, named } = await ask(section, data);
    return {
      ...round,
      wrong: Object.keys(right.answers).filter(
        (question) => ![undefined, right.answers[question]].includes(answers[question]),
      ),
      unnamed: flips.filter((flip) => !named.some((text) => text.includes(flip.file))),
    };
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

async function run(work: Work): Promise<void> {
  if ('make' in work) {
    await (await makeSample(work.make)).close();
    if (!work.isKilled) return process.disconnect();
    await reopenSample(work.make);
    process.kill(process.pid, 'SIGKILL');
  } else if ('rounds' in work) {
    for (const round of work.rounds) {
      process.send?.({ begun: round });
      process.send?.({ done: await tryRound(work.sample, round) });
    }
  } else {
    for (const flip of work.databaseFlips) {
      process.send?.({ begun: flip });
      process.send?.({ done: await tryDatabaseFlip(flip) });
    }
  }
  process.disconnect();
}

process.on('message', (work: Work) => run(work));
