/** Searches names in a worker thread, a slice of lines per call, so that several searches share the thread fairly. */
import { yieldToEventLoop } from '../../concurrency/event-loop-slices.ts';
import { burstIdleMs, WorkerClient } from '../../concurrency/worker-client.ts';
import type { FoundDomain, NameSearch, OpenSearch, SearchPlan } from '../../model/detect/name-search.ts';
import type { SearchCalls, SearchId } from './discovery-worker.ts';

const newline = 10;
/** Matched in one call. */
const sliceBytes = 131_072;
/** Monitors posted in one message. */
const planPartItems = 1000;

export class ThreadedNameSearch implements NameSearch {
  readonly #worker = new WorkerClient<SearchCalls, 'search'>({
    file: new URL('./discovery-worker.ts', import.meta.url),
    workerData: undefined,
    owner: 'the name search',
    finish: [],
    idleMs: burstIdleMs,
  });
  #searches = 0;

  async open({ terms, targets, ownDomains }: SearchPlan): Promise<OpenSearch> {
    const search = ++this.#searches;
    const own = [...ownDomains];
    const itemsMax = Math.max(terms.length, targets.length, own.length);
    for (let from = 0; from < itemsMax; from += planPartItems) {
      const part = <Item>(items: readonly Item[]) => items.slice(from, from + planPartItems);
      await this.#worker.run('search', 'addToPlan', search, {
        terms: part(terms),
        targets: part(targets),
        ownDomains: part(own),
      });
    }
    const prepared = this.#worker.run('search', 'prepare', search);
    const release = this.#worker.hold('search');
    try {
      await prepared;
    } catch (error) {
      release();
      throw error;
    }
    let isOpen = true;
    return {
      find: (lines) => this.#find(search, lines),
      close: () => {
        if (!isOpen) return;
        isOpen = false;
        release();
        // A thread that died has forgotten it.
        if (this.#worker.isRunning('search'))
          void this.#worker.run('search', 'forget', search).catch(() => undefined);
      },
    };
  }

  /** The names in lines of a feed, one per line. */
  namesOfFeed(lines: Uint8Array): Promise<Uint8Array> {
    const copy = Uint8Array.from(lines);
    return this.#worker.runTransferring([copy.buffer], 'search', 'namesOfFeed', copy);
  }

  close(): Promise<void> {
    return this.#worker.close();
  }

  async *#find(search: SearchId, lines: Uint8Array): AsyncGenerator<readonly FoundDomain[], void, undefined> {
    const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength);
    for (let from = 0; from < bytes.length; ) {
      const last = bytes.lastIndexOf(newline, from + sliceBytes - 1) + 1;
      const to = last > from ? last : bytes.indexOf(newline, from) + 1 || bytes.length;
      const slice = Uint8Array.from(bytes.subarray(from, to));
      const chunks = await this.#worker.runTransferring([slice.buffer], 'search', 'find', search, slice);
      for (const chunk of chunks) {
        yield JSON.parse(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString());
        await yieldToEventLoop();
      }
      from = to;
    }
  }
}
