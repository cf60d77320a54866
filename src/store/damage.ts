import { basename } from 'node:path';
import { keepErrorClass } from '../concurrency/worker-client.ts';

/** What a store says of stored data that is not what was written. */
export interface Damage {
  readonly file: string;
  /** The first byte of the part of the file that fails its checksum; absent when the whole file is concerned. */
  readonly offset?: number | undefined;
  readonly problem: string;
}

export interface DatabaseCheck {
  /**
   * `pages` compares the files with their checksums; `quick` checks their structure, too, and `full` also that indexes agree with their
   * tables. `accept` records the present content as right where `full` would find its structure intact, and nothing may be running.
   */
  readonly how: 'pages' | 'quick' | 'full' | 'accept';
  /** Databases that were not reached by then are not checked. */
  readonly withinMs?: number;
  readonly signal?: AbortSignal;
  onProgress?(done: number, all: number): void;
}

export interface DatabaseCheckResult {
  readonly damages: readonly Damage[];
  /** Files that were not reached. */
  readonly unchecked: readonly string[];
}

/** Thrown instead of serving stored data that fails its checksum, or whose file is gone. What does not need that data keeps working. */
export class DamagedData extends Error implements Damage {
  override readonly name = 'DamagedData';
  readonly code = 'DAMAGED_DATA';
  readonly file: string;
  readonly offset: number | undefined;
  readonly problem: string;

  constructor(damage: Damage, options?: ErrorOptions) {
    super(describeDamage(damage), options);
    this.file = damage.file;
    this.offset = damage.offset;
    this.problem = damage.problem;
    const store = storeOf(this.file);
    counts.set(store, (counts.get(store) ?? 0) + 1);
  }
}

/** Of this process, by store. */
const counts = new Map<string, number>();

export function damageCounts(): ReadonlyMap<string, number> {
  return counts;
}

/** `streams` for `…/streams/feed-nod/….ndjson`, `accounts` for `…/accounts.db`. */
function storeOf(file: string): string {
  const directory = /\/(streams|rrsets|archives|images|domains)\//.exec(file)?.[1];
  return directory ?? basename(file).replace(/\..*$/, '');
}

keepErrorClass('DamagedData', (damage: Damage) => new DamagedData(damage));

export function describeDamage({ file, offset, problem }: Damage): string {
  const where = offset === undefined ? '' : ` at byte ${offset}`;
  return `${file} is damaged${where}: ${problem}; restore it from a backup, see docs/troubleshooting.md`;
}
