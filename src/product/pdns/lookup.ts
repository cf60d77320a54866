/** Lookup: a page of the rows that a query selects. */
import type { Row, RrsetStore } from '../../store/rrset-store.ts';
import { type Allowance, pageFor, type RowSource, type Search, searchPage } from './page.ts';
import type { RowQuery } from './query.ts';

export type RowStore = Pick<RrsetStore, 'scan'>;

/** Throws immediately where the key does not allow the query; the scan starts with the first read. */
export function lookUp(query: RowQuery, allowance: Allowance, rrsets: RowStore): Search<Row> {
  return searchPage(rowSource(query, rrsets), pageFor(query.paging, allowance));
}

export function rowSource({ rows, filter }: RowQuery, rrsets: RowStore): RowSource<Row> {
  return {
    fences: filter.fences,
    scan: (page, fences) =>
      rrsets.scan({
        ...rows,
        ...page,
        filter: fences === filter.fences ? filter : { ...filter, fences },
      }),
    bytesOf: (row) => row.rdata.reduce((sum, rdata) => sum + rdata.length + objectBytes, 4 * objectBytes),
  };
}

/** Approximate memory of a byte array besides its bytes. */
const objectBytes = 150;
