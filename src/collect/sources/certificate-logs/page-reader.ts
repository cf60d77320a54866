/** Parses the pages of all certificate logs in a worker thread. */
import { WorkerClient } from '../../../concurrency/worker-client.ts';
import type { LogPage, PageRequest } from './log-page.ts';
import type { PageCalls } from './page-worker.ts';

export class PageReader {
  readonly #worker = new WorkerClient<PageCalls, 'pages'>({
    file: new URL('./page-worker.ts', import.meta.url),
    workerData: undefined,
    owner: 'the reader of logs',
    finish: [],
  });

  /** Rejects with the Problem `unavailable` for bytes that are not a page. */
  read(request: PageRequest): Promise<LogPage> {
    return this.#worker.run('pages', 'read', request);
  }

  close(): Promise<void> {
    return this.#worker.close();
  }
}
