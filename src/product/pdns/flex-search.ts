/** Flexible search: a page of the names or rdata whose text matches a pattern. */
import type { RrsetStore, TextRow, TextScan } from '../../store/rrset-store.ts';
import { type Allowance, pageFor, type RowSource, type Search, searchPage } from './page.ts';
import type { FlexQuery } from './query.ts';

export type TextStore = Pick<RrsetStore, 'scanText'>;

export function searchTexts(query: FlexQuery, allowance: Allowance, rrsets: TextStore): Search<TextRow> {
  const { texts, filter } = query;
  const source: RowSource<TextRow> = {
    fences: filter.fences,
    scan: (page, fences) => {
      const scan: TextScan = {
        ...texts,
        ...page,
        filter: fences === filter.fences ? filter : { ...filter, fences },
      };
      return rrsets.scanText(scan);
    },
    bytesOf: (row) => row.text.length + row.wire.length + objectBytes,
  };
  return searchPage(source, pageFor(query.paging, allowance));
}

/** Approximate memory of a row besides its text and bytes. */
const objectBytes = 400;
