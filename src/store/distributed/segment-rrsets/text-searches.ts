/** Flexible search on a node: its thread reads the files that the node has fetched for it. */
import { WorkerClient } from '../../../concurrency/worker-client.ts';
import { DamagedData } from '../../damage.ts';
import { TextSearch } from '../../rrset/search/text-search.ts';
import type { TextRow, TextScan } from '../../rrset-store.ts';
import type { CachedSegments } from './cached-segments.ts';
import type { SegmentSearchCalls } from './segment-search-worker.ts';

const searchedTables = ['distinct', 'trigram'] as const;

export class TextSearches {
  readonly #segments: CachedSegments;
  readonly #thread: WorkerClient<SegmentSearchCalls, 'search'>;
  /** What the thread has open. */
  #given: readonly unknown[] | undefined;

  constructor(segments: CachedSegments, directory: string, cacheBytes: number) {
    this.#segments = segments;
    this.#thread = new WorkerClient<SegmentSearchCalls, 'search'>({
      file: new URL('./segment-search-worker.ts', import.meta.url),
      workerData: { directory, cacheBytes },
      owner: 'flexible search',
      finish: [],
      onStart: () => {
        this.#given = undefined;
      },
    });
  }

  async *search(scan: TextScan): AsyncGenerator<readonly TextRow[], undefined> {
    const search = new TextSearch(this.#thread, scan);
    try {
      for (;;) {
        await this.#give();
        const { value, done } = await search.next();
        if (done) return;
        yield value;
      }
    } catch (error) {
      // The file is fetched again: the thread must not keep the one it has open.
      if (error instanceof DamagedData) await this.#closeFiles();
      throw error;
    } finally {
      await search.return();
    }
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  async #closeFiles(): Promise<void> {
    this.#given = undefined;
    await this.#thread.run('search', 'openSegments', []);
  }

  /** Before every portion, since compaction removes files that the thread has not opened yet. */
  async #give(): Promise<void> {
    await this.#segments.prepare(searchedTables);
    const segments = this.#segments.current();
    if (this.#thread.isRunning('search') && this.#given === segments) return;
    const listed = segments.map(({ summary }) => summary);
    await this.#thread.run('search', 'openSegments', listed);
    this.#given = segments;
  }
}
