/**
 * Questions to a thread of ours, which is started with the first of them, and anew when it has died. Each message has an `id`, and so has
 * the answer to it.
 */
import { type Transferable, Worker } from 'node:worker_threads';

export interface Waiting<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export interface ThreadCallsOptions<Answer> {
  readonly file: URL;
  /** `the search`, for errors. */
  readonly name: string;
  /** Gives the answer to whoever waits for it. */
  readonly settle: (answer: Answer, waiting: Waiting<never>) => void;
}

export class ThreadCalls<Answer extends { readonly id: number }> {
  readonly #options: ThreadCallsOptions<Answer>;
  readonly #waiting = new Map<number, Waiting<never>>();
  #worker: Worker | undefined;
  #calls = 0;
  #closed = false;

  constructor(options: ThreadCallsOptions<Answer>) {
    this.#options = options;
  }

  /** False where there is no thread that could remember anything. */
  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  call<Result>(message: object, transfer: readonly Transferable[] = []): Promise<Result> {
    if (this.#closed) return Promise.reject(this.#closedError());
    const worker = this.#worker ?? this.#start();
    const id = ++this.#calls;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      // Work under way keeps the process alive; an idle thread does not.
      worker.ref();
      worker.postMessage({ id, ...message }, transfer);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
    this.#rejectAll(this.#closedError());
  }

  #start(): Worker {
    const { file, name } = this.#options;
    const worker = new Worker(file);
    this.#worker = worker;
    worker.on('message', (answer: Answer) => this.#take(answer));
    worker.on('error', (error) => this.#fail(worker, error));
    worker.on('exit', (code) => this.#fail(worker, new Error(`the thread of ${name} ended with ${code}`)));
    return worker;
  }

  #take(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) this.#worker?.unref();
    if (waiting) this.#options.settle(answer, waiting);
  }

  #fail(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#rejectAll(error);
  }

  #rejectAll(error: unknown): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }

  #closedError(): Error {
    return new Error(`${this.#options.name} is closed`);
  }
}
