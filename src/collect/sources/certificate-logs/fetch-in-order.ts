/** Fetches ranges of a log concurrently and yields them in order. */
import { type LogClient, type LogRange, rangeEntries } from './log-client.ts';
import type { LogPage } from './log-page.ts';

/** Concurrent requests to one log. */
const rangesConcurrency = 4;

export async function* fetchInOrder(
  client: LogClient,
  { from, to, headSize, signal }: LogRange,
): AsyncGenerator<LogPage, void, undefined> {
  const stopping = new AbortController();
  const either = AbortSignal.any([signal, stopping.signal]);
  const ranges: Promise<LogPage>[] = [];
  let planned = from;
  try {
    while (planned < to || ranges.length > 0) {
      for (; ranges.length < rangesConcurrency && planned < to; planned = endOfRange(planned, to)) {
        const range = fetchRange(client, {
          from: planned,
          to: endOfRange(planned, to),
          headSize,
          signal: either,
        });
        // A failure is thrown when the range is yielded.
        range.catch(() => undefined);
        ranges.push(range);
      }
      yield (await ranges.shift()) as LogPage;
    }
  } finally {
    stopping.abort();
  }
}

function endOfRange(from: number, to: number): number {
  return Math.min(from - (from % rangeEntries) + rangeEntries, to);
}

/** The whole range, in as many requests as the log needs. */
async function fetchRange(client: LogClient, range: LogRange): Promise<LogPage> {
  const { from, to } = range;
  let all = await client.getPage(range);
  while (from + all.entries < to) {
    all = joined(all, await client.getPage({ ...range, from: from + all.entries }));
  }
  return all;
}

function joined(before: LogPage, page: LogPage): LogPage {
  return {
    entries: before.entries + page.entries,
    certificates: before.certificates + page.certificates,
    malformed: before.malformed + page.malformed,
    names: [...before.names, ...page.names],
    timestampMs: Math.max(before.timestampMs, page.timestampMs),
  };
}
