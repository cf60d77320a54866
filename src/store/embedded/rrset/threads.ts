/** The threads of a store: started when first needed, each doing one job after another. */
import { Worker } from 'node:worker_threads';
import { Problem } from '../../../model/problem.ts';
import type { Job, JobAnswer, JobResults } from './rrset-thread.ts';

/** `first` and `second` share the writing; `keeper` merges in the background, so that writing never waits for it. */
export type ThreadName = 'first' | 'second' | 'keeper';

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

export class Threads {
  readonly #directory: string;
  readonly #workers = new Map<ThreadName, Worker>();
  readonly #waiting = new Map<number, Waiting>();
  #jobs = 0;
  #closed = false;

  constructor(directory: string) {
    this.#directory = directory;
  }

  run<Kind extends Job['kind']>(
    thread: ThreadName,
    job: Extract<Job, { kind: Kind }>,
  ): Promise<JobResults[Kind]> {
    if (this.#closed) return Promise.reject(new Problem('unavailable', 'the store of RRsets is closed'));
    const id = ++this.#jobs;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      const worker = this.#worker(thread);
      // Work under way keeps the process alive; idle threads do not.
      worker.ref();
      worker.postMessage({ id, job });
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const workers = [...this.#workers.values()];
    this.#workers.clear();
    await Promise.all(workers.map((worker) => worker.terminate()));
    this.#fail(new Problem('unavailable', 'the store of RRsets is closed'));
  }

  #worker(name: ThreadName): Worker {
    const running = this.#workers.get(name);
    if (running) return running;
    const worker = new Worker(new URL('./rrset-thread.ts', import.meta.url), {
      workerData: { directory: this.#directory },
    });
    worker.on('message', (answer: JobAnswer) => this.#settle(answer));
    worker.on('error', (error) => this.#fail(error));
    worker.on('exit', (code) => {
      if (this.#workers.get(name) === worker)
        this.#fail(new Error(`a thread of the store ended with ${code}`));
    });
    this.#workers.set(name, worker);
    return worker;
  }

  #settle(answer: JobAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) for (const worker of this.#workers.values()) worker.unref();
    if ('result' in answer) waiting?.resolve(answer.result as never);
    else if ('problem' in answer) waiting?.reject(new Problem(answer.problem.code, answer.problem.message));
    else waiting?.reject(new Error(`writing RRsets failed: ${answer.error}`));
  }

  /** A thread that died takes its jobs with it, and nobody knows which were its own: all threads begin anew. */
  #fail(error: unknown): void {
    const workers = [...this.#workers.values()];
    this.#workers.clear();
    for (const worker of workers) void worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
