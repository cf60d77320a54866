/** A server and a bare route that sends the same, loaded in alternation. */
import { type BenchContext, type Result, resultOf } from '../harness/benchmark.ts';
import { type Interleaved, interleave } from '../harness/interleave.ts';
import { type Loaded, type LoadOptions, load } from './load.ts';
import type { Serving } from './serving-process.ts';

export interface AgainstBare {
  readonly rate: Interleaved;
  /** The round of the server with the median of p99. */
  readonly middle: Loaded;
  /** The same of the bare route. */
  readonly middleBare: Loaded;
}

export async function againstBare(
  sides: { readonly server: Serving; readonly bare: Serving },
  options: LoadOptions,
  { sized }: Pick<BenchContext, 'sized'>,
): Promise<AgainstBare> {
  // Code is compiled to the end only after thousands of requests.
  await load(sides.bare, options);
  await load(sides.server, options);
  const [own, bare]: [Loaded[], Loaded[]] = [[], []];
  const rate = await interleave(sized({ tiny: 1, small: 3, full: 5 }), {
    ours: async () => {
      const loaded = await load(sides.server, options);
      own.push(loaded);
      return { ...loaded, value: loaded.perSecond };
    },
    peer: async () => {
      const loaded = await load(sides.bare, options);
      bare.push(loaded);
      return loaded.perSecond;
    },
  });
  return { rate, middle: middleOf(own), middleBare: middleOf(bare) };
}

function middleOf(rounds: readonly Loaded[]): Loaded {
  const middle = rounds.toSorted((left, right) => left.p99Ms - right.p99Ms)[rounds.length >> 1];
  if (!middle) throw new Error('there was no round');
  return middle;
}

/** The row of a table. */
export function rateResult(
  work: string,
  { rate }: AgainstBare,
  more: Pick<Result, 'wanted'> & { readonly unit?: string; readonly growthAt10x?: number },
): Result {
  const { unit = 'requests/s', ...rest } = more;
  return resultOf({
    work,
    ours: { value: rate.ours, unit },
    peer: { name: 'bare Fastify route', value: rate.peer, unit },
    ratio: rate.ratio,
    cpuSeconds: rate.cpuSeconds,
    memoryBytes: rate.memoryBytes,
    ...rest,
  });
}
