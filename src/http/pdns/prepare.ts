/** Turns a query into a search that has not started, and a serializer for its results. */
import { searchTexts } from '../../product/pdns/flex-search.ts';
import { lookUp } from '../../product/pdns/lookup.ts';
import type { Allowance } from '../../product/pdns/page.ts';
import type { FlexQuery, Query, RowQuery } from '../../product/pdns/query.ts';
import { type Summary, summarize } from '../../product/pdns/summarize.ts';
import type { Row, RrsetStore, TextRow } from '../../store/rrset-store.ts';
import { cofObject, namedType, portableType } from './cof-text.ts';
import { rowColumns, rowLines, summaryColumns, summaryLine, textColumns, textLine } from './csv-text.ts';
import {
  epochTime,
  humanTime,
  quotedHumanTime,
  rowWriter,
  summaryObject,
  textObject,
} from './record-text.ts';
import type { PreparedQuery } from './stream-results.ts';

/** `saf`: version 2. `v1`: version 1. `cof`: the Common Output Format, and `cof-named` the same with every type as a string. */
export type Form = 'saf' | 'v1' | 'cof' | 'cof-named' | 'csv';

export type Searchable = Pick<RrsetStore, 'scan' | 'scanText' | 'state'>;

export function prepare(
  query: Query,
  allowance: Allowance,
  form: Form,
  rrsets: Searchable,
): PreparedQuery<unknown> {
  switch (query.verb) {
    case 'lookup':
      return { search: lookUp(query, allowance, rrsets), line: rowLine(query, form) };
    case 'summarize':
      return { search: summarize(query, allowance, rrsets), line: summaryText(query, form) };
    case 'flex':
      return { search: searchTexts(query, allowance, rrsets), line: flexLine(query, form) };
  }
}

/** The CSV columns of a query's results. */
export function columnsOf(query: Query): string {
  if (query.verb === 'flex') return textColumns(query.texts.over, query.verbose);
  return query.verb === 'lookup' ? rowColumns : summaryColumns;
}

function timeTextOf(query: RowQuery, form: Form) {
  if (!query.humanTime) return epochTime;
  return form === 'csv' ? humanTime : quotedHumanTime;
}

function rowLine(query: RowQuery, form: Form): (row: Row) => string {
  const timeText = timeTextOf(query, form);
  if (form === 'csv') return (row) => rowLines(row, timeText);
  if (form === 'cof') return (row) => cofObject(row, timeText, portableType);
  if (form === 'cof-named') return (row) => cofObject(row, timeText, namedType);
  return rowWriter(timeText, form === 'v1');
}

function summaryText(query: RowQuery, form: Form): (summary: Summary) => string {
  const timeText = timeTextOf(query, form);
  return form === 'csv'
    ? (summary) => summaryLine(summary, timeText)
    : (summary) => summaryObject(summary, timeText);
}

function flexLine({ texts: { over }, verbose }: FlexQuery, form: Form): (row: TextRow) => string {
  return form === 'csv' ? (row) => textLine(row, over, verbose) : (row) => textObject(row, over, verbose);
}
