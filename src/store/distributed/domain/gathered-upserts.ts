/**
 * Upserts of one process that come while a transaction runs share the next one: all writers of records wait for one lock, and a transaction costs about as
 * much for one record as for ten.
 */
import { Problem } from '../../../model/problem.ts';
import type { Outcome } from '../../domain/record-update.ts';
import type { RecordUpdate, UpsertCounts } from '../../domain-store.ts';

/** Updates that share a transaction. A call with more has one of its own. */
const sharedUpdatesMax = 500;

type Write = (updates: readonly RecordUpdate[]) => Promise<readonly Outcome[]>;

interface Call {
  readonly updates: readonly RecordUpdate[];
  readonly resolve: (counts: UpsertCounts) => void;
  readonly reject: (error: unknown) => void;
}

export class GatheredUpserts {
  readonly #write: Write;
  #waiting: Call[] = [];
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(write: Write) {
    this.#write = write;
  }

  upsert(updates: readonly RecordUpdate[]): Promise<UpsertCounts> {
    if (this.#isClosed) return Promise.reject(new Problem('unavailable', 'the domain store is closed'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ updates, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Waits for what was called before. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    // Calls that come in the same moment begin together.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#runTogether(this.#nextCalls());
    this.#running = undefined;
  }

  #nextCalls(): readonly Call[] {
    let [count, updates] = [1, this.#waiting[0]?.updates.length ?? 0];
    for (; count < this.#waiting.length; count += 1) {
      updates += this.#waiting[count]?.updates.length ?? 0;
      if (updates > sharedUpdatesMax) break;
    }
    return this.#waiting.splice(0, count);
  }

  async #runTogether(calls: readonly Call[]): Promise<void> {
    try {
      const outcomes = await this.#write(calls.flatMap(({ updates }) => updates));
      let at = 0;
      for (const { updates, resolve } of calls) {
        resolve(countsOf(outcomes.slice(at, at + updates.length)));
        at += updates.length;
      }
    } catch (error) {
      const [only, ...others] = calls;
      if (only && others.length === 0) only.reject(error);
      // One of them may be at fault: each has a transaction of its own then.
      else for (const call of calls) await this.#runTogether([call]);
    }
  }
}

function countsOf(outcomes: readonly Outcome[]): UpsertCounts {
  const counts: Record<Outcome, number> = { added: 0, changed: 0, unchanged: 0 };
  for (const outcome of outcomes) counts[outcome] += 1;
  return counts;
}
