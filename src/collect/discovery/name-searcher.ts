/** Searches in a thread of its own. They take turns there, so a long one does not keep others waiting. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Transferable } from 'node:worker_threads';
import type { FoundDomain, NameSearch, OpenSearch, SearchPlan } from '../../model/detect/name-search.ts';
import { ThreadCalls } from '../thread-calls.ts';
import type { SearchAnswer, SearchId, SearchJob, SearchResults } from './search-jobs.ts';

const newline = 10;
/** What a thread matches before it turns to another search. */
const turnBytes = 131_072;
/** Monitors that are handed over together. */
const planItems = 1000;

export class NameSearcher implements NameSearch {
  readonly #thread = new ThreadCalls<SearchAnswer>({
    file: new URL('./discovery-thread.ts', import.meta.url),
    name: 'the search',
    settle: (answer, { resolve, reject }) => {
      if ('result' in answer) resolve(answer.result as never);
      else reject(new Error(`matching failed: ${answer.error}`));
    },
  });
  #searches = 0;

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
        if (this.#thread.isRunning)
          void this.#run<'forget'>({ kind: 'forget', search }).catch(() => undefined);
      },
    };
  }

  /** The names in lines of a feed, one in a line. */
  namesOfFeed(lines: Uint8Array): Promise<Uint8Array> {
    const copy = Uint8Array.from(lines);
    return this.#run<'names'>({ kind: 'names', lines: copy }, [copy.buffer]);
  }

  close(): Promise<void> {
    return this.#thread.close();
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
    transfer: readonly Transferable[] = [],
  ): Promise<SearchResults[Kind]> {
    return this.#thread.call({ job }, transfer);
  }
}
