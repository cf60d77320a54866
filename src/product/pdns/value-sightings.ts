/** When passive DNS first and last saw records that point to an address or a host. */
import type { RowStore } from './lookup.ts';
import { parseQuery, type RowQuery } from './query.ts';
import { summarize } from './summarize.ts';

export interface ValueSightings {
  readonly firstSeconds: number;
  readonly lastSeconds: number;
  readonly records: number;
  /** There are more records than were read. */
  readonly more: boolean;
}

const recordsRead = 10_000;

/** Undefined where there are none. `value`: an address, or a host in punycode. */
export async function findSightings(
  kind: 'ip' | 'name',
  value: string,
  { rrsets, nowSeconds }: { readonly rrsets: RowStore; readonly nowSeconds: number },
  signal: AbortSignal,
): Promise<ValueSightings | undefined> {
  const parameters = new Map([['limit', [String(recordsRead)]]]);
  const query = parseQuery(['summarize', 'rdata', kind, value], parameters, nowSeconds) as RowQuery;
  const search = summarize(query, { resultsMax: recordsRead, offsetMax: 'n/a' }, rrsets);
  let found: Omit<ValueSightings, 'more'> | undefined;
  for (;;) {
    const step = await search.next();
    if (step.done) return found && { ...found, more: step.value.outcome === 'limited' };
    for (const { results, seen } of step.value) {
      const spans = Object.values(seen);
      found = {
        firstSeconds: Math.min(...spans.map(({ firstSeconds }) => firstSeconds)),
        lastSeconds: Math.max(...spans.map(({ lastSeconds }) => lastSeconds)),
        records: results,
      };
    }
    if (signal.aborted) await search.return({ outcome: 'complete' });
    signal.throwIfAborted();
  }
}
