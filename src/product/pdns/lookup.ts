/** A lookup: the rows that a question selects, a page of them at a time. */
import type { Row, RrsetStore } from '../../store/rrset-store.ts';
import { type Allowance, pageFor, type RowSource, type Search, searchPage } from './page.ts';
import type { RowQuestion } from './question.ts';

export type RowStore = Pick<RrsetStore, 'scan'>;

/** Refuses at once what the key may not ask; looks only when it is read. */
export function lookUp(question: RowQuestion, allowance: Allowance, rrsets: RowStore): Search<Row> {
  return searchPage(rowSource(question, rrsets), pageFor(question.paging, allowance));
}

export function rowSource({ rows, filter }: RowQuestion, rrsets: RowStore): RowSource<Row> {
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

/** About what an array of bytes costs besides its bytes. */
const objectBytes = 150;
