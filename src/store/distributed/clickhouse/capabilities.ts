/** What a version of ClickHouse can do. Asked once, when a store is opened. */
import { Problem } from '../../../model/problem.ts';

/** The oldest version for production. Older ones back to 18.16 pass our tests, and are no longer maintained. */
const supportedFrom = [24, 8] as const;

export interface Capabilities {
  readonly version: string;
  readonly isSupported: boolean;
  /** Aggregates are stored as plain values (`SimpleAggregateFunction`) rather than as states. */
  readonly hasSimpleAggregates: boolean;
  /** Rows are read and grouped in the order of the key, so that a limit ends the query early. */
  readonly readsInOrder: boolean;
  /** An index by the trigrams of a text, codecs of columns, and files that are synced before an insert is acknowledged. */
  readonly isModern: boolean;
}

export function capabilitiesOf(version: string): Capabilities {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isAtLeast = (year: number, release: number) => major > year || (major === year && minor >= release);
  return {
    version,
    isSupported: isAtLeast(...supportedFrom),
    hasSimpleAggregates: isAtLeast(20, 1),
    readsInOrder: isAtLeast(20, 5),
    isModern: isAtLeast(22, 3),
  };
}

/** Throws for a version that is too old, unless the operator accepts it. */
export function requireSupported({ version, isSupported }: Capabilities, allowOld: boolean): void {
  if (isSupported || allowOld) return;
  throw new Problem(
    'unavailable',
    `ClickHouse ${version} is too old: ${supportedFrom.join('.')} or later is needed; upgrade it, or set store.clickhouse.allowOld to try it anyway`,
  );
}

export const supportedVersion = supportedFrom.join('.');
