/**
 * Work that threads do for a store. The jobs are the functions of one object that lives in the thread (`performJobs`); the store
 * calls them by name (`ThreadJobs`). Each lane is a thread of its own, so that what is quick never waits for what is slow. A thread
 * is started with the first job, and anew when it has died.
 */
import { parentPort, type Transferable, Worker } from 'node:worker_threads';
import { Problem, type ProblemCode } from '../../model/problem.ts';

type Work = Readonly<Record<string, (...args: never[]) => unknown>>;

interface Job {
  readonly id: number;
  readonly kind: string;
  readonly args: readonly never[];
}

/** A thread cannot hand over an error as it is. */
type Failure =
  | { readonly error: string }
  | { readonly problem: { readonly code: ProblemCode; readonly message: string } };

type Answer = { readonly id: number } & (Failure | { readonly result: unknown });

interface Waiting<Lane> {
  readonly lane: Lane;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

interface ThreadSettings<Lane> {
  /** A file that calls `performJobs`. */
  readonly file: URL;
  readonly workerData: unknown;
  /** As in "… is closed". */
  readonly store: string;
  /** Lanes whose jobs are done before the store closes; the jobs of others are given up. */
  readonly finish: readonly Lane[];
}

export class ThreadJobs<Jobs extends Work, Lane extends string> {
  readonly #settings: ThreadSettings<Lane>;
  readonly #workers = new Map<Lane, Worker>();
  readonly #waiting = new Map<number, Waiting<Lane>>();
  #jobs = 0;
  #closed = false;

  constructor(settings: ThreadSettings<Lane>) {
    this.#settings = settings;
  }

  run<Kind extends keyof Jobs & string>(
    lane: Lane,
    kind: Kind,
    ...args: Parameters<Jobs[Kind]>
  ): Promise<Awaited<ReturnType<Jobs[Kind]>>> {
    return this.runMoving([], lane, kind, ...args);
  }

  /** The same with arguments of which some are handed over rather than copied. */
  runMoving<Kind extends keyof Jobs & string>(
    moved: readonly Transferable[],
    lane: Lane,
    kind: Kind,
    ...args: Parameters<Jobs[Kind]>
  ): Promise<Awaited<ReturnType<Jobs[Kind]>>> {
    if (this.#closed) return Promise.reject(this.#closedProblem());
    const worker = this.#workers.get(lane) ?? this.#start(lane);
    const id = ++this.#jobs;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { lane, resolve, reject });
      // Work under way keeps the process alive; an idle thread does not.
      worker.ref();
      worker.postMessage({ id, kind, args }, moved);
    });
  }

  /** A function that has a job done: the same arguments, the same result. */
  on<Kind extends keyof Jobs & string>(
    lane: Lane,
    kind: Kind,
  ): (...args: Parameters<Jobs[Kind]>) => Promise<Awaited<ReturnType<Jobs[Kind]>>> {
    return (...args) => this.run(lane, kind, ...args);
  }

  async close(): Promise<void> {
    const { finish } = this.#settings;
    const isBusy = () => [...this.#waiting.values()].some(({ lane }) => finish.includes(lane));
    while (isBusy()) await new Promise((resolve) => setTimeout(resolve, 1));
    this.#closed = true;
    const workers = [...this.#workers];
    this.#workers.clear();
    await Promise.all(workers.map(([, worker]) => worker.terminate()));
    for (const [lane] of workers) this.#reject(lane, this.#closedProblem());
  }

  #start(lane: Lane): Worker {
    const { file, workerData, store } = this.#settings;
    const worker = new Worker(file, { workerData });
    this.#workers.set(lane, worker);
    worker.on('message', (answer: Answer) => this.#settle(answer));
    worker.on('error', (error) => this.#fail(lane, worker, error));
    worker.on('exit', (code) =>
      this.#fail(lane, worker, new Error(`a thread of ${store} ended with ${code}`)),
    );
    return worker;
  }

  #settle(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    if (!waiting) return;
    this.#waiting.delete(answer.id);
    const { lane, resolve, reject } = waiting;
    if (![...this.#waiting.values()].some((other) => other.lane === lane)) this.#workers.get(lane)?.unref();
    if ('result' in answer) resolve(answer.result as never);
    else if ('problem' in answer) reject(new Problem(answer.problem.code, answer.problem.message));
    else reject(new Error(`${this.#settings.store} failed: ${answer.error}`));
  }

  #fail(lane: Lane, worker: Worker, error: unknown): void {
    if (this.#workers.get(lane) !== worker) return;
    this.#workers.delete(lane);
    this.#reject(lane, error);
  }

  #reject(lane: Lane, error: unknown): void {
    for (const [id, waiting] of this.#waiting) {
      if (waiting.lane !== lane) continue;
      this.#waiting.delete(id);
      waiting.reject(error);
    }
  }

  #closedProblem(): Problem {
    return new Problem('unavailable', `${this.#settings.store} is closed`);
  }
}

/** The other end, called in the thread. Jobs begin in the order they came; one that waits lets the next begin. */
export function performJobs(jobs: Work): void {
  parentPort?.on('message', ({ id, kind, args }: Job) => {
    // Within a promise from the start, so that what is thrown at once is an answer too.
    void new Promise((resolve) => resolve(jobs[kind]?.(...args))).then(
      (result) => reply({ id, result }),
      (error: unknown) => reply({ id, ...failureOf(error) }),
    );
  });
}

function reply(message: Answer): void {
  parentPort?.postMessage(message);
}

function failureOf(error: unknown): Failure {
  if (error instanceof Problem) return { problem: { code: error.code, message: error.message } };
  return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
