/**
 * What a process reports about one part of its work: a source of names, a reputation list, a sensor, a collector, a stage of the pipeline.
 * A report has facts only; `part-state.ts` says what they mean at a given time.
 */
export const partKinds = ['source', 'list', 'sensor', 'collector', 'stage'] as const;
export type PartKind = (typeof partKinds)[number];

/** What parts count. */
export const partUnits = [
  'names',
  'domains',
  'frames',
  'probes',
  'pictures',
  'rrsets',
  'addresses',
  'deliveries',
  'rounds',
] as const;
export type PartUnit = (typeof partUnits)[number];

export interface PartReport {
  readonly kind: PartKind;
  /** Unique among its kind, such as `ct:nessie2027` or `dns`. */
  readonly name: string;
  readonly unit: PartUnit;
  readonly startedMs: number;
  /** How often it succeeds when all is well; undefined for what waits for work. */
  readonly everyMs?: number;
  /** As many failures in a row are usual, such as probes of domains that do not answer. */
  readonly failuresUsual: number;
  readonly lastSuccessMs?: number;
  readonly lastFailureMs?: number;
  /** The message of the last failure, which may quote third parties. */
  readonly lastError?: string;
  /** Since the last success. */
  readonly failuresInRow: number;
  readonly total: number;
  /** Counted in each of the last 60 minutes, oldest first; the last one is not over. */
  readonly perMinute: readonly number[];
  /** What is known to wait, in the same unit. */
  readonly backlog?: number;
  /** Why it does not run. */
  readonly off?: string;
}

/** What a process that runs the pipeline reports about itself, every few seconds. */
export interface ProcessReport {
  /** Unique among the processes of all nodes, and not used again after a restart. */
  readonly process: string;
  /** The host that it runs on; earlier versions report none. */
  readonly node?: string;
  readonly role: string;
  readonly version: string;
  readonly startedMs: number;
  readonly atMs: number;
  readonly memoryBytes: number;
  /** The kinds of jobs that the processes of this server perform. */
  readonly jobKinds: readonly string[];
  readonly parts: readonly PartReport[];
}

export const minutesKept = 60;
export const errorCharactersMax = 500;
