/**
 * Reads names or rdata whose text matches a pattern. ClickHouse leaves out texts that lack what every match contains; which of the others match
 * is decided here, in slices of time.
 */
import { TimeSlice } from '../../../concurrency/time-slice.ts';
import { dnssecTypes, textTypes } from '../../../model/dns/rr-type.ts';
import type { TypeSelection } from '../../../model/dns/type-selection.ts';
import { TextMatcher } from '../../rrset/scan/text-matcher.ts';
import { distinctKinds, readUint16 } from '../../rrset/segment/keys.ts';
import { searchedText } from '../../rrset/segment/table-output.ts';
import type { TextRow, TextScan } from '../../rrset-store.ts';
import { rowKinds } from '../clickhouse/sql.ts';
import type { PageReader } from './paged-slices.ts';
import type { KeySighting, RowTable } from './row-table.ts';

/** Most texts of a page may not match, so pages are larger than those of rows. */
const pageTexts = { first: 500, most: 8000, growth: 4 };

export class TextReader implements PageReader<TextRow> {
  readonly #table: RowTable;
  readonly #scan: TextScan;
  readonly #kind: number;
  readonly #matcher: TextMatcher;
  #limit = pageTexts.first;
  #after: Uint8Array | undefined;
  #skip: number;
  #isDone = false;

  constructor(table: RowTable, scan: TextScan) {
    this.#table = table;
    this.#scan = scan;
    this.#kind = scan.over === 'names' ? distinctKinds.owner : distinctKinds.rdata;
    this.#matcher = new TextMatcher(scan);
    this.#after = scan.after;
    this.#skip = scan.skip ?? 0;
  }

  async nextPage(signal: AbortSignal): Promise<readonly TextRow[] | undefined> {
    if (this.#isDone) return undefined;
    const limit = this.#limit;
    this.#limit = Math.min(limit * pageTexts.growth, pageTexts.most);
    const prefix = Uint8Array.of(this.#kind);
    const query = {
      kind: rowKinds.distinct,
      ranges: [{ table: 'inverse', from: prefix, upTo: prefix }],
      types: typesOf(this.#scan),
      prefilter: this.#matcher.prefilter,
      after: this.#after && { key: this.#after, isIncluded: false },
      limit,
    } as const;
    const found = await this.#table.readMerged(query, this.#scan.filter, signal);
    this.#after = found.at(-1)?.key ?? this.#after;
    this.#isDone = found.length < limit;
    return this.#matching(found, signal);
  }

  async #matching(found: readonly KeySighting[], signal: AbortSignal): Promise<TextRow[]> {
    const timeSlice = new TimeSlice();
    const rows: TextRow[] = [];
    for (const candidate of found) {
      const text = searchedText(candidate.key, 0, candidate.key.length);
      if (text === undefined) continue;
      this.#matcher.begin(text);
      let matched = this.#matcher.resume(timeSlice.endsAtMs);
      while (matched === undefined || timeSlice.isOver()) {
        await timeSlice.yieldIfOver();
        signal.throwIfAborted();
        matched ??= this.#matcher.resume(timeSlice.endsAtMs);
      }
      if (!matched) continue;
      if (this.#skip > 0) this.#skip -= 1;
      else rows.push(this.#rowOf(candidate, text));
    }
    this.#matcher.dropCache();
    return rows;
  }

  #rowOf({ key, firstSeconds, lastSeconds, count }: KeySighting, text: string): TextRow {
    const wireEnd = this.#kind === distinctKinds.owner ? key.length - 2 : 1 + readUint16(key, key.length - 2);
    const type = readUint16(key, wireEnd);
    return { text, type, wire: key.slice(1, wireEnd), firstSeconds, lastSeconds, count, position: key };
  }
}

function typesOf({ over, type }: TextScan): TypeSelection {
  if (type !== undefined) return { only: new Set([type]) };
  return over === 'names' ? { except: dnssecTypes } : { only: textTypes };
}
