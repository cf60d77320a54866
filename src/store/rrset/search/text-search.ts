/** A flexible search, read portion by portion from the worker thread that runs it. The next one is read when it is asked for. */
import { currentFlow } from '../../../concurrency/event-loop-slices.ts';
import { ThreadEnded, type WorkerClient } from '../../../concurrency/worker-client.ts';
import { Problem } from '../../../model/problem.ts';
import type { TextRow, TextScan } from '../../rrset-store.ts';
import type { SearchCalls } from './search-calls.ts';

export type SearchThread = WorkerClient<SearchCalls, 'search'>;

let lastId = 0;

export class TextSearch implements AsyncIterableIterator<readonly TextRow[]> {
  readonly #thread: SearchThread;
  readonly #scan: TextScan;
  readonly #id: number;
  #state: 'new' | 'open' | 'done' = 'new';
  #release: () => void = () => undefined;

  constructor(thread: SearchThread, scan: TextScan) {
    this.#thread = thread;
    this.#scan = scan;
    lastId += 1;
    this.#id = lastId;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<readonly TextRow[], undefined>> {
    if (this.#state === 'done') return { done: true, value: undefined };
    try {
      if (this.#state === 'new') {
        this.#state = 'open';
        const opened = this.#thread.run('search', 'open', this.#id, currentFlow(), this.#scan);
        this.#release = this.#thread.hold('search');
        await opened;
      }
      const { rows, done } = await this.#thread.run('search', 'read', this.#id);
      if (done) await this.return();
      return done ? { done, value: undefined } : { done, value: rows };
    } catch (error) {
      this.#end();
      throw error instanceof ThreadEnded ? stopped(error) : error;
    }
  }

  /** Frees what the thread keeps for this search, also while a portion is being read. */
  async return(): Promise<IteratorResult<readonly TextRow[], undefined>> {
    const isOpen = this.#state === 'open';
    this.#end();
    // A thread that has ended keeps nothing.
    if (isOpen && this.#thread.isRunning('search')) {
      await this.#thread.run('search', 'close', this.#id).catch(() => undefined);
    }
    return { done: true, value: undefined };
  }

  #end(): void {
    if (this.#state === 'open') this.#release();
    this.#state = 'done';
  }
}

function stopped(cause: unknown): Problem {
  const message = 'the thread of flexible search stopped unexpectedly; send the search again';
  return new Problem('unavailable', message, { cause });
}
