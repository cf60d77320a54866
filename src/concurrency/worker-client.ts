/**
 * Typed calls into worker threads. A thread serves the functions of one object (`serveWorkerCalls`); the client calls them by name. Each named
 * thread is a worker of its own, so that quick calls never queue behind slow ones. A worker starts with its first call, and again after it died.
 */
import { parentPort, type Transferable, Worker } from 'node:worker_threads';
import { Problem, type ProblemCode } from '../model/problem.ts';

type Calls = Readonly<Record<string, (...args: never[]) => unknown>>;

interface Request {
  readonly id: number;
  readonly call: string;
  readonly args: readonly never[];
}

/** Error objects lose their class when a thread posts them. */
type Failure =
  | { readonly error: { readonly message: string; readonly stack?: string; readonly code?: string } }
  | { readonly problem: { readonly code: ProblemCode; readonly message: string } }
  | { readonly kept: { readonly name: string; readonly members: object } };

const keptClasses = new Map<string, (members: never) => Error>();

/** Errors of this name keep their class when a thread throws them: they are made again from their own members. */
export function keepErrorClass(name: string, make: (members: never) => Error): void {
  keptClasses.set(name, make);
}

type Response = { readonly id: number } & (Failure | { readonly result: unknown });

interface PendingCall<Thread> {
  readonly thread: Thread;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

interface WorkerSettings<Thread> {
  /** A file that calls `serveWorkerCalls`. */
  readonly file: URL;
  readonly workerData: unknown;
  /** Whose threads these are, as in "… is closed". */
  readonly owner: string;
  /** Threads whose pending calls are completed before closing; those of the others are rejected. */
  readonly finish: readonly Thread[];
  /** Called whenever a thread was started, before its first call: calls made here run first, such as crash recovery. */
  onStart?(thread: Thread): void;
}

/** Rejects the calls of a thread that died before it answered them. The next call starts it again. */
export class ThreadEnded extends Error {
  constructor(owner: string, cause: unknown) {
    super(`a thread of ${owner} ended: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'ThreadEnded';
  }
}

export class WorkerClient<Served extends Calls, Thread extends string> {
  readonly #settings: WorkerSettings<Thread>;
  readonly #workers = new Map<Thread, Worker>();
  readonly #pending = new Map<number, PendingCall<Thread>>();
  #lastId = 0;
  #closed = false;

  constructor(settings: WorkerSettings<Thread>) {
    this.#settings = settings;
  }

  run<Call extends keyof Served & string>(
    thread: Thread,
    call: Call,
    ...args: Parameters<Served[Call]>
  ): Promise<Awaited<ReturnType<Served[Call]>>> {
    return this.runTransferring([], thread, call, ...args);
  }

  /** The same, with some buffers of the arguments moved to the thread instead of copied. */
  runTransferring<Call extends keyof Served & string>(
    transfer: readonly Transferable[],
    thread: Thread,
    call: Call,
    ...args: Parameters<Served[Call]>
  ): Promise<Awaited<ReturnType<Served[Call]>>> {
    if (this.#closed) return Promise.reject(this.#closedProblem());
    const worker = this.#workers.get(thread) ?? this.#start(thread);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { thread, resolve, reject });
      // Pending calls keep the process alive; an idle thread does not.
      worker.ref();
      worker.postMessage({ id, call, args }, transfer);
    });
  }

  /** A function that makes the call: same arguments, same result. */
  on<Call extends keyof Served & string>(
    thread: Thread,
    call: Call,
  ): (...args: Parameters<Served[Call]>) => Promise<Awaited<ReturnType<Served[Call]>>> {
    return (...args) => this.run(thread, call, ...args);
  }

  /** False before the first call and after the thread died: then it has no state. */
  isRunning(thread: Thread): boolean {
    return this.#workers.has(thread);
  }

  async close(): Promise<void> {
    const { finish } = this.#settings;
    const isBusy = () => [...this.#pending.values()].some(({ thread }) => finish.includes(thread));
    while (isBusy()) await new Promise((resolve) => setTimeout(resolve, 1));
    this.#closed = true;
    const workers = [...this.#workers];
    this.#workers.clear();
    await Promise.all(workers.map(([, worker]) => worker.terminate()));
    for (const [thread] of workers) this.#rejectPending(thread, this.#closedProblem());
  }

  #start(thread: Thread): Worker {
    const { file, workerData, owner } = this.#settings;
    const worker = new Worker(file, { workerData });
    this.#workers.set(thread, worker);
    worker.on('message', (response: Response) => this.#settle(response));
    worker.on('error', (error) => this.#fail(thread, worker, new ThreadEnded(owner, error)));
    worker.on('exit', (code) => this.#fail(thread, worker, new ThreadEnded(owner, `it ended with ${code}`)));
    this.#settings.onStart?.(thread);
    return worker;
  }

  #settle(response: Response): void {
    const pending = this.#pending.get(response.id);
    if (!pending) return;
    this.#pending.delete(response.id);
    const { thread, resolve, reject } = pending;
    if (![...this.#pending.values()].some((other) => other.thread === thread))
      this.#workers.get(thread)?.unref();
    if ('result' in response) resolve(response.result as never);
    else if ('problem' in response) reject(new Problem(response.problem.code, response.problem.message));
    else if ('kept' in response)
      reject(keptClasses.get(response.kept.name)?.(response.kept.members as never));
    else reject(this.#errorOf(response.error));
  }

  #fail(thread: Thread, worker: Worker, error: unknown): void {
    if (this.#workers.get(thread) !== worker) return;
    this.#workers.delete(thread);
    this.#rejectPending(thread, error);
  }

  #rejectPending(thread: Thread, error: unknown): void {
    for (const [id, pending] of this.#pending) {
      if (pending.thread !== thread) continue;
      this.#pending.delete(id);
      pending.reject(error);
    }
  }

  #errorOf({ message, ...rest }: { message: string; stack?: string; code?: string }): Error {
    return Object.assign(new Error(`${this.#settings.owner} failed: ${message}`), rest);
  }

  #closedProblem(): Problem {
    return new Problem('unavailable', `${this.#settings.owner} is closed`);
  }
}

/** The other end, called in the thread. Calls begin in the order they arrive; one that awaits something lets the next begin. */
export function serveWorkerCalls(calls: Calls): void {
  parentPort?.on('message', ({ id, call, args }: Request) => {
    // Within a promise from the start, so that a synchronous throw becomes a response too.
    void new Promise((resolve) => resolve(calls[call]?.(...args))).then(
      (result) => respond({ id, result }, transferOf(result)),
      (error: unknown) => respond({ id, ...failureOf(error) }),
    );
  });
}

const transfers = new WeakMap<object, readonly Transferable[]>();

/** Marks buffers of a call's result to be moved to the caller instead of copied. */
export function transferResult<Result extends object>(
  result: Result,
  transfer: readonly Transferable[],
): Result {
  transfers.set(result, transfer);
  return result;
}

function transferOf(result: unknown): readonly Transferable[] {
  return (typeof result === 'object' && result !== null && transfers.get(result)) || [];
}

function respond(response: Response, transfer: readonly Transferable[] = []): void {
  parentPort?.postMessage(response, transfer);
}

function failureOf(error: unknown): Failure {
  if (error instanceof Problem) return { problem: { code: error.code, message: error.message } };
  if (!(error instanceof Error)) return { error: { message: String(error) } };
  if (keptClasses.has(error.name))
    return { kept: { name: error.name, members: Object.fromEntries(Object.entries(error)) } };
  const { code } = error as NodeJS.ErrnoException;
  return {
    error: {
      message: error.message,
      ...(error.stack === undefined ? {} : { stack: error.stack }),
      ...(typeof code === 'string' ? { code } : {}),
    },
  };
}
