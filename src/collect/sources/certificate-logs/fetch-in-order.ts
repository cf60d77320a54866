/** Ranges of a log one behind the other, with some more being fetched meanwhile. */
import { type LogClient, rangeEntries } from './log-client.ts';
import type { LogPage } from './log-page.ts';

/** Requests that one log hears of us at once. */
const rangesAtOnce = 4;

export async function* fetchInOrder(
  client: LogClient,
  from: number,
  to: number,
  signal: AbortSignal,
): AsyncGenerator<LogPage, void, undefined> {
  const stopping = new AbortController();
  const either = AbortSignal.any([signal, stopping.signal]);
  const ranges: Promise<LogPage>[] = [];
  let planned = from;
  try {
    while (planned < to || ranges.length > 0) {
      for (; ranges.length < rangesAtOnce && planned < to; planned = endOfRange(planned, to)) {
        const range = fetchRange(client, planned, endOfRange(planned, to), to, either);
        // It is heard of when its turn has come.
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

/** All of a range, however little of it the log gives at once. */
async function fetchRange(
  client: LogClient,
  from: number,
  to: number,
  headSize: number,
  signal: AbortSignal,
): Promise<LogPage> {
  let all = await client.getPage(from, to, headSize, signal);
  while (from + all.entries < to) {
    all = joined(all, await client.getPage(from + all.entries, to, headSize, signal));
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
