/** A question that a key may ask, as a search that has not begun and the form of its answer. */

import { searchTexts } from '../../product/pdns/flex-search.ts';
import { lookUp } from '../../product/pdns/lookup.ts';
import type { Allowance } from '../../product/pdns/page.ts';
import type { FlexQuestion, Question, RowQuestion } from '../../product/pdns/question.ts';
import { type Summary, summarize } from '../../product/pdns/summarize.ts';
import type { Row, RrsetStore, TextRow } from '../../store/rrset-store.ts';
import { rowColumns, rowLines, summaryColumns, summaryLine, textColumns, textLine } from './csv-text.ts';
import type { Prepared } from './deliver.ts';
import {
  cofObject,
  epochTime,
  humanTime,
  quotedHumanTime,
  rowWriter,
  summaryObject,
  textObject,
} from './record-text.ts';

/** `saf`: version 2. `v1`: version 1. `cof`: the Common Output Format. */
export type Form = 'saf' | 'v1' | 'cof' | 'csv';

export type Searchable = Pick<RrsetStore, 'scan' | 'scanText' | 'state'>;

export function prepare(
  question: Question,
  allowance: Allowance,
  form: Form,
  rrsets: Searchable,
): Prepared<unknown> {
  switch (question.verb) {
    case 'lookup':
      return { search: lookUp(question, allowance, rrsets), line: rowLine(question, form) };
    case 'summarize':
      return { search: summarize(question, allowance, rrsets), line: summaryText(question, form) };
    case 'flex':
      return { search: searchTexts(question, allowance, rrsets), line: flexLine(question, form) };
  }
}

/** The columns of a question's answer as CSV. */
export function columnsOf(question: Question): string {
  if (question.verb === 'flex') return textColumns(question.texts.over, question.verbose);
  return question.verb === 'lookup' ? rowColumns : summaryColumns;
}

function timeTextOf(question: RowQuestion, form: Form) {
  if (!question.humanTime) return epochTime;
  return form === 'csv' ? humanTime : quotedHumanTime;
}

function rowLine(question: RowQuestion, form: Form): (row: Row) => string {
  const timeText = timeTextOf(question, form);
  if (form === 'csv') return (row) => rowLines(row, timeText);
  if (form === 'cof') return (row) => cofObject(row, timeText);
  return rowWriter(timeText, form === 'v1');
}

function summaryText(question: RowQuestion, form: Form): (summary: Summary) => string {
  const timeText = timeTextOf(question, form);
  return form === 'csv'
    ? (summary) => summaryLine(summary, timeText)
    : (summary) => summaryObject(summary, timeText);
}

function flexLine({ texts: { over }, verbose }: FlexQuestion, form: Form): (row: TextRow) => string {
  return form === 'csv' ? (row) => textLine(row, over, verbose) : (row) => textObject(row, over, verbose);
}
