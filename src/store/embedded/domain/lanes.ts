/**
 * The threads of a store, each a lane of its own: what is quick never waits for what is slow, and nothing waits for a recount.
 * A thread is started with the first job, and anew when it has died.
 */
import { type Transferable, Worker } from 'node:worker_threads';
import { Problem } from '../../../model/problem.ts';
import type { DomainJob, DomainJobResults, JobAnswer } from './domain-jobs.ts';

type LaneName = 'write' | 'quick' | 'slow' | 'verify';

interface Waiting {
  readonly lane: LaneName;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: ((done: number, all: number) => void) | undefined;
}

export class Lanes {
  readonly #path: string;
  readonly #workers = new Map<LaneName, Worker>();
  readonly #waiting = new Map<number, Waiting>();
  #jobs = 0;
  #closed = false;

  constructor(path: string) {
    this.#path = path;
  }

  run<Kind extends DomainJob['kind']>(
    lane: LaneName,
    job: Extract<DomainJob, { kind: Kind }>,
    {
      transfer = [],
      onProgress,
    }: { transfer?: Transferable[]; onProgress?: (done: number, all: number) => void } = {},
  ): Promise<DomainJobResults[Kind]> {
    if (this.#closed) return Promise.reject(new Problem('unavailable', 'the store of domains is closed'));
    const worker = this.#workers.get(lane) ?? this.#start(lane);
    const id = ++this.#jobs;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { lane, resolve, reject, onProgress });
      // Work under way keeps the process alive; an idle thread does not.
      worker.ref();
      worker.postMessage({ id, job }, transfer);
    });
  }

  /** What was to be written is written first; other work is given up. */
  async close(): Promise<void> {
    const isWriting = () => [...this.#waiting.values()].some(({ lane }) => lane === 'write');
    while (isWriting()) await new Promise((resolve) => setTimeout(resolve, 1));
    this.#closed = true;
    const workers = [...this.#workers];
    this.#workers.clear();
    await Promise.all(workers.map(([, worker]) => worker.terminate()));
    for (const [lane] of workers)
      this.#reject(lane, new Problem('unavailable', 'the store of domains is closed'));
  }

  #start(lane: LaneName): Worker {
    const worker = new Worker(new URL('./domain-thread.ts', import.meta.url), {
      workerData: { path: this.#path },
    });
    this.#workers.set(lane, worker);
    worker.on('message', (answer: JobAnswer) => this.#take(answer));
    worker.on('error', (error) => this.#fail(lane, worker, error));
    worker.on('exit', (code) =>
      this.#fail(lane, worker, new Error(`a thread of the store of domains ended with ${code}`)),
    );
    return worker;
  }

  #take(answer: JobAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    if (!waiting) return;
    if ('progress' in answer) {
      waiting.onProgress?.(...answer.progress);
      return;
    }
    this.#waiting.delete(answer.id);
    if (![...this.#waiting.values()].some(({ lane }) => lane === waiting.lane)) {
      this.#workers.get(waiting.lane)?.unref();
    }
    if ('result' in answer) waiting.resolve(answer.result as never);
    else if ('problem' in answer) waiting.reject(new Problem(answer.problem.code, answer.problem.message));
    else waiting.reject(new Error(`the store of domains failed: ${answer.error}`));
  }

  #fail(lane: LaneName, worker: Worker, error: unknown): void {
    if (this.#workers.get(lane) !== worker) return;
    this.#workers.delete(lane);
    this.#reject(lane, error);
  }

  #reject(lane: LaneName, error: unknown): void {
    for (const [id, waiting] of this.#waiting) {
      if (waiting.lane !== lane) continue;
      this.#waiting.delete(id);
      waiting.reject(error);
    }
  }
}
