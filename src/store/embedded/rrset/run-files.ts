/** Where the parts of a run are, and what a run is made of. */
import { join } from 'node:path';

export const partNames = ['forward', 'inverse', 'distinct', 'trigram'] as const;
export type PartName = (typeof partNames)[number];

export function partPath(directory: string, run: string, part: PartName): string {
  return join(directory, `${run}.${part}`);
}

/** A run as it is written. */
export interface RunSummary {
  readonly name: string;
  readonly rrsets: number;
  readonly bytes: number;
  readonly minFirst: number;
  readonly maxLast: number;
  /** Small runs have no index of trigrams; they are searched whole. */
  readonly hasTrigrams: boolean;
  /** Of the parts, in the order of `partNames`. */
  readonly checksums: readonly number[];
}

/** A run as the manifest lists it. */
export interface ListedRun extends RunSummary {
  /** Rises with every run that is published. */
  readonly sequence: number;
  /** Nobody has to be told what is new in it. */
  readonly told: boolean;
}
