/**
 * The counts of values, until the database changes: each page of records has registrars, name servers and countries that the page before had.
 * Of bounded size: where two values have the same place, the one that more domains have keeps it, and is the likelier to come again.
 */
import type { KnownCounts } from '../../domain/search/key-counts.ts';
import type { ValueKey } from '../../domain/value-keys.ts';
import type { Database } from '../database.ts';
import { SnapshotVersion } from './snapshot-version.ts';

/** A power of two. Two megabytes, of which the system gives what is used. */
const usualSlots = 2 ** 17;

export class CountCache implements KnownCounts {
  readonly #version: SnapshotVersion;
  readonly #mask: number;
  /** Of the key in each slot: keys are hashes, and their lower bits say where they are. */
  readonly #lows: Int32Array;
  readonly #highs: Int32Array;
  readonly #counts: Uint32Array;
  /** The state that it was counted in. */
  readonly #states: Uint32Array;
  #state = 0;

  constructor(database: Database, slots = usualSlots) {
    this.#version = new SnapshotVersion(database);
    this.#mask = slots - 1;
    this.#lows = new Int32Array(slots);
    this.#highs = new Int32Array(slots);
    this.#counts = new Uint32Array(slots);
    this.#states = new Uint32Array(slots);
  }

  /** To be called in every read transaction. */
  beginTransaction(): void {
    if (!this.#version.hasChanged()) return;
    this.#state = (this.#state + 1) >>> 0;
    // After four billion commits; no slot may seem to be of this state.
    if (this.#state === 0) {
      this.#states.fill(0);
      this.#state = 1;
    }
  }

  find(low: number, high: number): number {
    const slot = low & this.#mask;
    const isKnown =
      this.#lows[slot] === low && this.#highs[slot] === high && this.#states[slot] === this.#state;
    return isKnown ? (this.#counts[slot] as number) : -1;
  }

  /** What was counted in this transaction. */
  put(keys: readonly ValueKey[], counts: readonly number[]): void {
    for (let at = 0; at < keys.length; at += 1) {
      wholeKey[0] = keys[at] as ValueKey;
      const [low, high] = [keyHalves[0] as number, keyHalves[1] as number];
      const slot = low & this.#mask;
      if (this.#states[slot] === this.#state && (this.#counts[slot] as number) > (counts[at] as number))
        continue;
      this.#lows[slot] = low;
      this.#highs[slot] = high;
      this.#counts[slot] = counts[at] as number;
      this.#states[slot] = this.#state;
    }
  }
}

/** The lower half first, as in memory. */
const keyHalves = new Int32Array(2);
const wholeKey = new BigInt64Array(keyHalves.buffer);
