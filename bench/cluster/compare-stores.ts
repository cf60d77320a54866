/** The same work in distributed stores and in embedded ones, in alternation. CPU time is ours and PostgreSQL's together, and PostgreSQL's has a row of its own. */
import { type BenchContext, type Bound, type Result, resultOf } from '../harness/benchmark.ts';
import { median } from '../harness/interleave.ts';
import { cpuSecondsOf } from '../harness/process-tree.ts';
import { ownUsage, type Used } from '../harness/usage.ts';

export interface Pair<Store> {
  readonly distributed: Store;
  readonly embedded: Store;
  /** Of PostgreSQL. */
  readonly pid: number;
}

export interface Work<Store> {
  readonly what: string;
  /** Such as `pivots/s`. */
  readonly unit: string;
  readonly operations: number;
  readonly wanted?: {
    readonly perSecond?: Bound;
    readonly cpuMs?: Bound;
    /** Of CPU times. */
    readonly cpuRatio?: Bound;
  };
  run(store: Store): Promise<void>;
}

interface Round {
  readonly distributed: Used<void> & { readonly serverSeconds: number };
  readonly embedded: Used<void>;
}

export async function compareStores<Store>(
  pair: Pair<Store>,
  work: Work<Store>,
  { sized, note }: BenchContext,
): Promise<readonly Result[]> {
  note(`${work.what}, in both stores`);
  // Code is compiled and caches are filled by then.
  await work.run(pair.distributed);
  await work.run(pair.embedded);
  const rounds: Round[] = [];
  for (let round = 0; round < sized({ tiny: 1, small: 3, full: 5 }); round += 1) {
    const embedded = await ownUsage(() => work.run(pair.embedded));
    rounds.push({ distributed: await inDistributed(pair, work), embedded });
  }
  return resultsOf(work, rounds);
}

async function inDistributed<Store>({ distributed, pid }: Pair<Store>, work: Work<Store>) {
  const before = cpuSecondsOf(pid);
  const used = await ownUsage(() => work.run(distributed));
  return { ...used, serverSeconds: Math.max(0, cpuSecondsOf(pid) - before) };
}

function resultsOf<Store>(
  { what, unit, operations, wanted = {} }: Work<Store>,
  rounds: readonly Round[],
): readonly Result[] {
  const of = (figure: (round: Round) => number) => median(rounds.map(figure));
  const bothCpu = ({ distributed }: Round) => distributed.cpuSeconds + distributed.serverSeconds;
  const memoryBytes = Math.max(...rounds.map(({ distributed }) => distributed.memoryBytes));
  const { perSecond, cpuMs, cpuRatio } = wanted;
  const eachMs = (seconds: number) => (seconds / operations) * 1000;
  return [
    resultOf({
      work: `${what}, distributed stores`,
      ours: { value: of(({ distributed }) => operations / distributed.seconds), unit },
      peer: { name: 'embedded stores', value: of(({ embedded }) => operations / embedded.seconds), unit },
      ratio: of(({ distributed, embedded }) => embedded.seconds / distributed.seconds),
      ...(perSecond ? { wanted: { ours: perSecond } } : {}),
      cpuSeconds: of(bothCpu),
      memoryBytes,
    }),
    resultOf({
      work: `CPU time with PostgreSQL: ${what}`,
      ours: { value: eachMs(of(bothCpu)), unit: 'ms' },
      peer: {
        name: 'embedded stores',
        value: eachMs(of(({ embedded }) => embedded.cpuSeconds)),
        unit: 'ms',
      },
      ratio: of((round) => bothCpu(round) / round.embedded.cpuSeconds),
      wanted: { ...(cpuMs ? { ours: cpuMs } : {}), ...(cpuRatio ? { ratio: cpuRatio } : {}) },
      cpuSeconds: of(bothCpu),
      memoryBytes,
    }),
    resultOf({
      work: `CPU time of PostgreSQL alone: ${what}`,
      ours: { value: eachMs(of(({ distributed }) => distributed.serverSeconds)), unit: 'ms' },
      cpuSeconds: of(({ distributed }) => distributed.serverSeconds),
      memoryBytes,
    }),
  ];
}
