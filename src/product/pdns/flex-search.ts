/** A flexible search: names or data whose text matches a pattern, a page of them at a time. */
import type { RrsetStore, TextRow, TextScan } from '../../store/rrset-store.ts';
import { type Allowance, pageFor, type RowSource, type Search, searchPage } from './page.ts';
import type { FlexQuestion } from './question.ts';

export type TextStore = Pick<RrsetStore, 'scanText'>;

export function searchTexts(
  question: FlexQuestion,
  allowance: Allowance,
  rrsets: TextStore,
): Search<TextRow> {
  const { texts, filter } = question;
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
  return searchPage(source, pageFor(question.paging, allowance));
}

/** About what a row costs besides its text and bytes. */
const objectBytes = 400;
