/**
 * Which replicas of a shard may answer. One that is new, that was away, or that found damage when it started fetches parts that were acknowledged
 * before, and would leave out rows without an error.
 */
import { secondMs } from '../../../model/durations.ts';
import { replicaState } from './sql.ts';

/** What was found out so long ago is asked for again. */
const freshMs = secondMs;

export interface ReplicaState {
  readonly hasTables: boolean;
  /** It lacks parts that others have had for seconds. */
  readonly isBehind: boolean;
  /** It is not connected to ClickHouse Keeper, and accepts no insert. */
  readonly isReadOnly: boolean;
  readonly upSeconds: number;
}

type Ask = (statement: string, replica: number) => Promise<Buffer>;

export class ReplicaStates {
  readonly #ask: Ask;
  readonly #statement: string;
  readonly #asked = new Map<number, { readonly atMs: number; readonly isComplete: Promise<boolean> }>();
  /** When each had everything. */
  readonly #completeMs = new Map<number, number>();

  constructor(database: string, ask: Ask) {
    this.#ask = ask;
    this.#statement = replicaState(database);
  }

  /** Throws where it does not answer. */
  isComplete(replica: number): Promise<boolean> {
    const nowMs = performance.now();
    const asked = this.#asked.get(replica);
    if (asked && nowMs - asked.atMs < freshMs) return asked.isComplete;
    const isComplete = this.#find(replica, nowMs);
    this.#asked.set(replica, { atMs: nowMs, isComplete });
    isComplete.catch(() => this.#asked.delete(replica));
    return isComplete;
  }

  async #find(replica: number, nowMs: number): Promise<boolean> {
    const state = readReplicaState(await this.#ask(this.#statement, replica));
    if (!state.hasTables || state.isBehind) return false;
    // Without Keeper it does not know what it lacks, and nothing is acknowledged: what was complete stays so, unless it was started again.
    const completeMs = this.#completeMs.get(replica) ?? Number.NEGATIVE_INFINITY;
    if (state.isReadOnly) return state.upSeconds * secondMs >= nowMs - completeMs;
    this.#completeMs.set(replica, nowMs);
    return true;
  }
}

export function readReplicaState(answer: Buffer): ReplicaState {
  const [count, behind, readOnly, upSeconds] = answer.toString().trim().split('\t').map(Number);
  return {
    hasTables: count === 2,
    isBehind: behind !== 0,
    isReadOnly: readOnly !== 0,
    upSeconds: upSeconds ?? 0,
  };
}
