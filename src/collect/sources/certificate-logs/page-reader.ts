/** Reads pages of all logs in a thread of its own. */
import { Problem } from '../../../model/problem.ts';
import { ThreadCalls } from '../../thread-calls.ts';
import type { LogPage, PageRequest } from './log-page.ts';
import type { PageAnswer } from './page-thread.ts';

export class PageReader {
  readonly #thread = new ThreadCalls<PageAnswer>({
    file: new URL('./page-thread.ts', import.meta.url),
    name: 'the reader of logs',
    settle: (answer, { resolve, reject }) => {
      if ('page' in answer) resolve(answer.page as never);
      else if ('problem' in answer) reject(new Problem('unavailable', answer.problem));
      else reject(new Error(`reading a log failed: ${answer.error}`));
    },
  });

  /** Rejects with the Problem `unavailable` for what is no page. */
  read(request: PageRequest): Promise<LogPage> {
    return this.#thread.call({ request });
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
