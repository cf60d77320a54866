/** The passive DNS rows of one domain: records of it and of names below it, and records of others that point to it. */
import type { Row } from '../../store/rrset-store.ts';
import { lookUp, type RowStore } from './lookup.ts';
import { parseQuery, type RowQuery } from './query.ts';

export interface DomainRows {
  /** Newest first. */
  readonly rows: readonly Row[];
  /** There are more rows than were read or returned. */
  readonly more: boolean;
}

/** Read in the order of the store; of these the newest are returned. */
const rowsRead = 2000;
const rowsReturned = 200;

const paths = {
  names: (name: string) => ['lookup', 'rrset', 'name', `*.${name}`],
  data: (name: string) => ['lookup', 'rdata', 'name', `*.${name}`],
} as const;

/** `name` in punycode. */
export async function listDomainRows(
  name: string,
  direction: keyof typeof paths,
  { rrsets, nowSeconds }: { readonly rrsets: RowStore; readonly nowSeconds: number },
  signal: AbortSignal,
): Promise<DomainRows> {
  const parameters = new Map([['limit', [String(rowsRead)]]]);
  const query = parseQuery(paths[direction](name), parameters, nowSeconds) as RowQuery;
  const search = lookUp(query, { resultsMax: rowsRead, offsetMax: 'n/a' }, rrsets);
  const rows: Row[] = [];
  let isLimited = false;
  for (;;) {
    const step = await search.next();
    if (step.done) {
      isLimited = step.value.outcome === 'limited';
      break;
    }
    rows.push(...step.value);
    if (signal.aborted) await search.return({ outcome: 'complete' });
    signal.throwIfAborted();
  }
  const newest = rows.sort((one, other) => other.lastSeconds - one.lastSeconds).slice(0, rowsReturned);
  return { rows: newest, more: isLimited || rows.length > newest.length };
}
