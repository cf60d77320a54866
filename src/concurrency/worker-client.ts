/**
 * Typed calls into worker threads. A thread serves the functions of one object (`serveWorkerCalls`); the client calls them by name. Each named
 * thread is a worker of its own, so that quick calls never queue behind slow ones. A worker starts with its first call, and again after it died;
 * one that nobody called for a while is ended, because each takes some ten megabytes.
 */
import { parentPort, type Transferable, Worker } from 'node:worker_threads';
import { minuteMs, secondMs } from '../model/durations.ts';
import { Problem, type ProblemCode } from '../model/problem.ts';

type Calls = Readonly<Record<string, (...args: never[]) => unknown>>;

interface Request {
  readonly id: number;
  readonly call: string;
  readonly args: readonly never[];
}

/** Asks the thread to end itself, so that its handlers of `exit` run. */
const end = 'end';

/** The first message of a thread: its modules are loaded. */
const loaded = 'loaded';

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
  readonly running: RunningThread;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

interface RunningThread {
  readonly worker: Worker;
  /** Resolves when its modules are loaded, or it has ended. */
  readonly isLoaded: Promise<void>;
  pendingCalls: number;
  /** What the thread keeps for calls to come. */
  holds: number;
  /** Since the last search for idle threads. */
  wasCalled: boolean;
}

/** A thread that was not called for so long, or up to twice as long, is ended. Starting one takes 50 ms of a processor. */
const usualIdleMs = minuteMs;

/** Of threads that are called in bursts, for hours not at all, and for nobody who waits. */
export const burstIdleMs = 15 * secondMs;

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
  readonly idleMs?: number;
}

/** Rejects the calls of a thread that died before it answered them. The next call starts it again. */
export class ThreadEnded extends Error {
  constructor(owner: string, cause: unknown) {
    super(`a thread of ${owner} ended: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'ThreadEnded';
  }
}

let replies = 0;

/** Of all threads that this one has started. The replies of several may be handled in one round of the event loop, one after the other. */
export function repliesReceived(): number {
  return replies;
}

export class WorkerClient<Served extends Calls, Thread extends string> {
  readonly #settings: WorkerSettings<Thread>;
  readonly #running = new Map<Thread, RunningThread>();
  readonly #ending = new Set<Worker>();
  readonly #pending = new Map<number, PendingCall<Thread>>();
  #lastId = 0;
  #idleTimer: NodeJS.Timeout | undefined;
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
    const running = this.#running.get(thread) ?? this.#start(thread);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      // Throws if an argument cannot be copied: then there is no call.
      running.worker.postMessage({ id, call, args }, transfer);
      this.#pending.set(id, { thread, running, resolve, reject });
      // Pending calls keep the process alive; an idle thread does not.
      if (running.pendingCalls === 0) running.worker.ref();
      running.pendingCalls += 1;
      running.wasCalled = true;
    });
  }

  /** A function that makes the call: same arguments, same result. */
  on<Call extends keyof Served & string>(
    thread: Thread,
    call: Call,
  ): (...args: Parameters<Served[Call]>) => Promise<Awaited<ReturnType<Served[Call]>>> {
    return (...args) => this.run(thread, call, ...args);
  }

  /** False before the first call and after the thread ended: then it has no state. */
  isRunning(thread: Thread): boolean {
    return this.#running.has(thread);
  }

  /** Until it is released, once, a running thread is not ended for being idle: it keeps something for calls to come, such as an open search. */
  hold(thread: Thread): () => void {
    const running = this.#running.get(thread);
    if (running) running.holds += 1;
    return () => {
      if (running) running.holds -= 1;
    };
  }

  async close(): Promise<void> {
    const { finish } = this.#settings;
    const isBusy = () => [...this.#pending.values()].some(({ thread }) => finish.includes(thread));
    while (isBusy()) await new Promise((resolve) => setTimeout(resolve, 1));
    this.#closed = true;
    clearInterval(this.#idleTimer);
    const threads = [...this.#running];
    this.#running.clear();
    // To terminate a thread that is loading a native module may abort the process.
    await Promise.all(threads.map(([, { isLoaded }]) => isLoaded));
    const workers = [...threads.map(([, { worker }]) => worker), ...this.#ending];
    await Promise.all(workers.map((worker) => worker.terminate()));
    for (const [thread] of threads) this.#rejectPending(thread, this.#closedProblem());
  }

  #start(thread: Thread): RunningThread {
    const { file, workerData, owner, idleMs = usualIdleMs } = this.#settings;
    const worker = new Worker(file, { workerData });
    const isLoaded = new Promise<void>((resolve) => {
      for (const event of ['message', 'exit']) worker.once(event, () => resolve());
    });
    const running: RunningThread = { worker, isLoaded, pendingCalls: 0, holds: 0, wasCalled: true };
    this.#running.set(thread, running);
    worker.on('message', (message: Response | typeof loaded) => {
      if (message !== loaded) this.#settle(message);
    });
    worker.on('error', (error) => this.#fail(thread, worker, new ThreadEnded(owner, error)));
    worker.on('exit', (code) => this.#fail(thread, worker, new ThreadEnded(owner, `it ended with ${code}`)));
    this.#idleTimer ??= setInterval(() => this.#endIdle(), idleMs).unref();
    this.#settings.onStart?.(thread);
    return running;
  }

  #endIdle(): void {
    for (const [thread, running] of this.#running) {
      const { worker, pendingCalls, holds, wasCalled } = running;
      running.wasCalled = false;
      if (wasCalled || pendingCalls > 0 || holds > 0) continue;
      this.#running.delete(thread);
      this.#ending.add(worker);
      worker.postMessage(end);
    }
  }

  #settle(response: Response): void {
    replies += 1;
    const pending = this.#pending.get(response.id);
    if (!pending) return;
    this.#pending.delete(response.id);
    const { running, resolve, reject } = pending;
    running.pendingCalls -= 1;
    // A thread that is being terminated keeps the process alive until it has ended.
    if (running.pendingCalls === 0 && !this.#closed) running.worker.unref();
    if ('result' in response) resolve(response.result as never);
    else if ('problem' in response) reject(new Problem(response.problem.code, response.problem.message));
    else if ('kept' in response)
      reject(keptClasses.get(response.kept.name)?.(response.kept.members as never));
    else reject(this.#errorOf(response.error));
  }

  #fail(thread: Thread, worker: Worker, error: unknown): void {
    this.#ending.delete(worker);
    if (this.#running.get(thread)?.worker !== worker) return;
    this.#running.delete(thread);
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
  parentPort?.postMessage(loaded);
  parentPort?.on('message', (message: Request | typeof end) => {
    if (message === end) return process.exit();
    const { id, call, args } = message;
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
