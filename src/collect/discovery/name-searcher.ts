/**
 * Searches in a thread of its own, which is started with the first of them, and anew when it has died. Searches take turns there,
 * so a long one does not keep others waiting.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { type Transferable, Worker } from 'node:worker_threads';
import type { FoundDomain, NameSearch, OpenSearch, SearchPlan } from '../../model/detect/name-search.ts';
import type { SearchAnswer, SearchId, SearchJob, SearchResults } from './search-jobs.ts';

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

const newline = 10;
/** What a thread matches before it turns to another search. */
const turnBytes = 131_072;
/** Monitors that are handed over together. */
const planItems = 1000;

export class NameSearcher implements NameSearch {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #jobs = 0;
  #searches = 0;
  #closed = false;

  async open({ terms, wanted, ownDomains }: SearchPlan): Promise<OpenSearch> {
    const search = ++this.#searches;
    const own = [...ownDomains];
    const itemsMax = Math.max(terms.length, wanted.length, own.length);
    for (let at = 0; at < itemsMax; at += planItems) {
      const part = <Item>(items: readonly Item[]) => items.slice(at, at + planItems);
      await this.#run<'plan'>({
        kind: 'plan',
        search,
        terms: part(terms),
        wanted: part(wanted),
        ownDomains: part(own),
      });
    }
    await this.#run<'prepare'>({ kind: 'prepare', search });
    return {
      find: (lines) => this.#find(search, lines),
      close: () => {
        // A thread that has ended has forgotten it.
        if (this.#worker) void this.#run<'forget'>({ kind: 'forget', search }).catch(() => undefined);
      },
    };
  }

  /** The names in lines of a feed, one in a line. */
  namesOfFeed(lines: Uint8Array): Promise<Uint8Array> {
    const copy = Uint8Array.from(lines);
    return this.#run<'names'>({ kind: 'names', lines: copy }, [copy.buffer]);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
    this.#rejectAll(new Error('the search is closed'));
  }

  async *#find(search: SearchId, lines: Uint8Array): AsyncGenerator<readonly FoundDomain[], void, undefined> {
    const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength);
    for (let from = 0; from < bytes.length; ) {
      const last = bytes.lastIndexOf(newline, from + turnBytes - 1) + 1;
      const to = last > from ? last : bytes.indexOf(newline, from) + 1 || bytes.length;
      const piece = Uint8Array.from(bytes.subarray(from, to));
      const parts = await this.#run<'find'>({ kind: 'find', search, lines: piece }, [piece.buffer]);
      for (const part of parts) {
        yield JSON.parse(Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString());
        await turn();
      }
      from = to;
    }
  }

  #run<Kind extends SearchJob['kind']>(
    job: Extract<SearchJob, { kind: Kind }>,
    transfer: Transferable[] = [],
  ): Promise<SearchResults[Kind]> {
    if (this.#closed) return Promise.reject(new Error('the search is closed'));
    const worker = this.#worker ?? this.#start();
    const id = ++this.#jobs;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      // Work under way keeps the process alive; an idle thread does not.
      worker.ref();
      worker.postMessage({ id, job }, transfer);
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL('./discovery-thread.ts', import.meta.url));
    this.#worker = worker;
    worker.on('message', (answer: SearchAnswer) => this.#take(answer));
    worker.on('error', (error) => this.#fail(worker, error));
    worker.on('exit', (code) => this.#fail(worker, new Error(`the thread that matches ended with ${code}`)));
    return worker;
  }

  #take(answer: SearchAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) this.#worker?.unref();
    if ('result' in answer) waiting?.resolve(answer.result as never);
    else waiting?.reject(new Error(`matching failed: ${answer.error}`));
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
