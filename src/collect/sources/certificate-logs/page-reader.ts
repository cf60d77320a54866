/** Reads pages of all logs in a thread of its own, which is started with the first of them, and anew when it has died. */
import { Worker } from 'node:worker_threads';
import { Problem } from '../../../model/problem.ts';
import type { LogPage, PageRequest } from './log-page.ts';
import type { PageAnswer } from './page-thread.ts';

interface Waiting {
  readonly resolve: (page: LogPage) => void;
  readonly reject: (error: unknown) => void;
}

export class PageReader {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #requests = 0;
  #closed = false;

  /** Rejects with the Problem `unavailable` for what is no page. */
  read(request: PageRequest): Promise<LogPage> {
    if (this.#closed) return Promise.reject(new Error('the reader of logs is closed'));
    const worker = this.#worker ?? this.#start();
    const id = ++this.#requests;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      // Work under way keeps the process alive; an idle thread does not.
      worker.ref();
      worker.postMessage({ id, request });
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
    this.#rejectAll(new Error('the reader of logs is closed'));
  }

  #start(): Worker {
    const worker = new Worker(new URL('./page-thread.ts', import.meta.url));
    this.#worker = worker;
    worker.on('message', (answer: PageAnswer) => this.#take(answer));
    worker.on('error', (error) => this.#fail(worker, error));
    worker.on('exit', (code) =>
      this.#fail(worker, new Error(`the thread that reads logs ended with ${code}`)),
    );
    return worker;
  }

  #take(answer: PageAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) this.#worker?.unref();
    if ('page' in answer) waiting?.resolve(answer.page);
    else if ('problem' in answer) waiting?.reject(new Problem('unavailable', answer.problem));
    else waiting?.reject(new Error(`reading a log failed: ${answer.error}`));
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
}
