/** The thread that writes, as the store sees it: started with the first job, and started anew when it has died. */
import { Worker } from 'node:worker_threads';
import { Problem } from '../../../model/problem.ts';
import type { StreamJob, StreamJobResults } from './stream-jobs.ts';
import type { ThreadAnswer, ThreadJob } from './stream-thread.ts';

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

export class Writing {
  readonly #root: string;
  readonly #onFault: (fault: string) => void;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #jobs = 0;
  #closed = false;

  constructor(root: string, onFault: (fault: string) => void) {
    this.#root = root;
    this.#onFault = onFault;
  }

  run<Kind extends StreamJob['kind']>(
    job: Extract<StreamJob, { kind: Kind }>,
  ): Promise<StreamJobResults[Kind]> {
    return this.#send(job);
  }

  prune(stream: string, beforeMinute: number): Promise<void> {
    return this.#send({ kind: 'prune', stream, beforeMinute });
  }

  async close(): Promise<void> {
    // What was asked for before is done first.
    while (this.#waiting.size > 0) await new Promise((resolve) => setTimeout(resolve, 1));
    this.#closed = true;
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  #send<Result>(job: ThreadJob): Promise<Result> {
    if (this.#closed) return Promise.reject(new Problem('unavailable', 'the store of streams is closed'));
    const worker = this.#worker ?? this.#start();
    const id = ++this.#jobs;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      // Work under way keeps the process alive; an idle thread does not.
      worker.ref();
      worker.postMessage({ id, job });
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL('./stream-thread.ts', import.meta.url), {
      workerData: { root: this.#root },
    });
    this.#worker = worker;
    worker.on('message', (answer: ThreadAnswer) => this.#settle(answer));
    worker.on('error', (error) => this.#fail(worker, error));
    worker.on('exit', (code) =>
      this.#fail(worker, new Error(`the thread that writes streams ended with ${code}`)),
    );
    this.#send<readonly string[]>({ kind: 'repair' })
      .then((faults) => {
        for (const fault of faults) this.#onFault(fault);
      })
      .catch((error: unknown) => this.#onFault(`streams could not be looked through: ${String(error)}`));
    return worker;
  }

  #settle(answer: ThreadAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) this.#worker?.unref();
    if ('result' in answer) waiting?.resolve(answer.result as never);
    else waiting?.reject(new Error(`writing streams failed: ${answer.error}`));
  }

  #fail(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
