/** What a benchmark is given and what it returns: the same shape for all of them, so that one table can show them and a later run can be compared. */

export const sizes = ['tiny', 'small', 'full'] as const;

/** `tiny` proves that a benchmark works, `small` gives a first idea, `full` is what figures are quoted from. */
export type Size = (typeof sizes)[number];

export interface Figure {
  readonly value: number;
  /** Such as `requests/s`: a rate ends in `/s` and more is better; of times and sizes, less is. */
  readonly unit: string;
}

export interface Peer extends Figure {
  /** What did the same work: `GNU sort`, `bare Fastify route`. */
  readonly name: string;
}

export type Bound = { readonly atLeast: number } | { readonly atMost: number };

export const boundedFigures = ['ours', 'ratio', 'growthAt10x', 'cpuSeconds', 'memoryBytes'] as const;

export type BoundedFigure = (typeof boundedFigures)[number];

/** CPU time and memory of all processes of ours that took part. */
export interface Usage {
  readonly cpuSeconds: number;
  /** The greatest sum of proportional set sizes (PSS) that was seen. */
  readonly memoryBytes: number;
}

export interface Result extends Usage {
  /** What was done. Results of two runs belong together when they have the same work. */
  readonly work: string;
  readonly ours: Figure;
  /** Null where nobody else does this work. */
  readonly peer: Peer | null;
  /** Ours divided by the peer's, in the same run. */
  readonly ratio: number | null;
  readonly wanted?: Partial<Record<BoundedFigure, Bound>>;
  /** What one operation costs at ten times the data, divided by what it costs here. Null where no data grows. */
  readonly growthAt10x: number | null;
}

export interface BenchContext {
  readonly size: Size;
  /** For this benchmark alone; removed afterwards. */
  readonly directory: string;
  /** For data that several benchmarks of a run read; removed after the run, or kept with `--keep`. */
  readonly seeds: string;
  readonly options: BenchOptions;
  readonly sized: <Value>(choices: Readonly<Record<Size, Value>>) => Value;
  /** What is going on, for the person who waits. */
  readonly note: (text: string) => void;
  /** Called in reverse order when the benchmark is over, however it ends. */
  readonly after: (cleanUp: () => unknown) => void;
}

export interface BenchOptions {
  readonly minutes?: number | undefined;
  readonly killWorker?: boolean | undefined;
  /** Of passive DNS. */
  readonly store?: 'embedded' | 'distributed' | undefined;
}

export type Bench = (context: BenchContext) => Promise<readonly Result[]>;

/** Thrown by a benchmark that needs software which is not on this machine and cannot be installed. */
export class MissingSoftware extends Error {}

interface Measured extends Pick<Result, 'work' | 'ours' | 'wanted'>, Usage {
  readonly peer?: Peer;
  /** By default the quotient; a median of several rounds is better. */
  readonly ratio?: number;
  readonly growthAt10x?: number;
}

export function resultOf({ peer, ratio, growthAt10x, ...rest }: Measured): Result {
  const quotient = peer ? rest.ours.value / peer.value : null;
  return { ...rest, peer: peer ?? null, ratio: ratio ?? quotient, growthAt10x: growthAt10x ?? null };
}

export function isMet(value: number | null, bound: Bound): boolean {
  if (value === null) return false;
  return 'atLeast' in bound ? value >= bound.atLeast : value <= bound.atMost;
}

export function figureOf(result: Result, figure: BoundedFigure): number | null {
  return figure === 'ours' ? result.ours.value : result[figure];
}

/** Speed is judged at full size alone; that nothing is lost or fails holds at every size. */
export function isJudged(bound: Bound, size: Size): boolean {
  return size === 'full' || ('atMost' in bound && bound.atMost === 0);
}

/** Which of the wanted bounds do not hold. */
export function missesOf(result: Result, size: Size): readonly BoundedFigure[] {
  return boundedFigures.filter((figure) => {
    const bound = result.wanted?.[figure];
    return bound !== undefined && isJudged(bound, size) && !isMet(figureOf(result, figure), bound);
  });
}
