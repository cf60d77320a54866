/** Data directories that several benchmarks of a run read: made by the first that needs them. A file beside each says that it is complete. */
import { existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeLines } from '../data/pdns-lines.ts';
import { writeRecords } from '../data/record-lines.ts';
import type { BenchContext } from '../harness/benchmark.ts';
import { type CommandUsage, runNameglass } from './run-command.ts';

type Seeds = Pick<BenchContext, 'seeds' | 'note'>;

export interface Seed {
  readonly data: string;
  /** What was imported, as lines of JSON. */
  readonly lines: string;
}

interface Imported extends Seed {
  readonly usage: CommandUsage;
}

const kinds = {
  rrsets: {
    write: writeLines,
    command: ['import', 'rrsets', '--format', 'cof', '--history'],
  },
  records: {
    write: writeRecords,
    command: ['import', 'records'],
  },
} as const;

type Kind = keyof typeof kinds;

function seedOf(kind: Kind, count: number, { seeds }: Seeds): Seed & { readonly mark: string } {
  const path = join(seeds, `${kind}-${count}`);
  return { data: path, lines: `${path}.ndjson`, mark: `${path}.complete` };
}

export async function seedLines(kind: Kind, count: number, context: Seeds): Promise<string> {
  const { lines } = seedOf(kind, count, context);
  mkdirSync(context.seeds, { recursive: true });
  if (!existsSync(lines)) await kinds[kind].write(lines, count);
  return lines;
}

/** Imports anew, whatever is there. */
export async function importSeed(kind: Kind, count: number, context: Seeds): Promise<Imported> {
  const { data, mark } = seedOf(kind, count, context);
  const lines = await seedLines(kind, count, context);
  // What was added to it is gone as well.
  for (const file of [mark, ...globSync(`${data}-with-*.complete`)]) rmSync(file, { force: true });
  rmSync(data, { recursive: true, force: true });
  const usage = await runNameglass(...kinds[kind].command, lines, '--data', data);
  writeFileSync(mark, '');
  return { data, lines, usage };
}

/** What an earlier benchmark imported, or a new import. */
export async function seeded(kind: Kind, count: number, context: Seeds): Promise<Seed> {
  const { data, mark } = seedOf(kind, count, context);
  if (existsSync(mark)) return { data, lines: await seedLines(kind, count, context) };
  context.note(`importing ${count.toLocaleString('en')} ${kind}`);
  return importSeed(kind, count, context);
}

/** How many of each at a size. The lesser of two sizes is a tenth. */
export const seedCounts = {
  rrsets: { tiny: 3000, small: 100_000, full: 5_000_000 },
  records: { tiny: 1000, small: 20_000, full: 1_000_000 },
} as const;
