/**
 * The Passive DNS page. Each answer is one lookup of the account's passive DNS quota, as over the API, and a page that a person reads. Nothing is
 * charged for a question that is refused.
 */
import { Type } from 'typebox';
import type { Settings } from '../../../model/settings/settings.ts';
import { lookUp } from '../../../product/pdns/lookup.ts';
import type { RowQuery } from '../../../product/pdns/query.ts';
import {
  type AskNeeds,
  askRows,
  askSummary,
  askTexts,
  readSlices,
} from '../../../product/pdns/question/ask.ts';
import { Calendar } from '../../../product/pdns/question/calendar.ts';
import { type QuestionOptions, queryOf } from '../../../product/pdns/question/question-query.ts';
import type { Row } from '../../../store/rrset-store.ts';
import { humanTime } from '../../pdns/record-text.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { type ChargedLookupNeeds, chargedLookup } from './charged-lookup.ts';
import {
  PassiveDnsCalendar,
  PassiveDnsRecords,
  PassiveDnsSummary,
  RecordOptions,
  TypedQuestion,
} from './passive-dns-wire.ts';
import { calendarDaysOf, dayText, questionOf, rowQuestionOf, windowOf } from './read-typed.ts';
import { questionOnWire, recordOfRow, recordOfText } from './record-on-wire.ts';

export type PassiveDnsWebNeeds = ChargedLookupNeeds & AskNeeds & { readonly settings: Settings };

const common = { access: 'read', charge: 'page', method: 'GET' } as const;
const questionQuery = Type.Object(TypedQuestion);
/** Of how many records a summary or a calendar is made. */
const rowsMax = 50_000;

export function passiveDnsWebOperations(needs: PassiveDnsWebNeeds): readonly WebOperation[] {
  return [recordsOperation(needs), summaryOperation(needs), calendarOperation(needs)];
}

function recordsOperation(needs: PassiveDnsWebNeeds): WebOperation {
  return defineWebOperation({
    ...common,
    path: '/pdns/records',
    summary: 'Passive DNS records, a page of them',
    query: RecordOptions,
    answer: PassiveDnsRecords,
    handle: async ({ query: typed, caller, nowMs, signal }) => {
      const question = questionOf(typed);
      // Sorting by time reads everything that matches, which is little for one name or address.
      const isNarrow = question.form === 'name' || question.form === 'address';
      const sort = typed.sort ?? (isNarrow ? 'newest' : 'name');
      const options: QuestionOptions = {
        ...windowOf(typed),
        verb: 'lookup',
        raw: typed.raw ?? false,
        newest: sort === 'newest',
        limit: typed.limit ?? 100,
        ...(typed.cursor === undefined ? {} : { cursor: typed.cursor }),
      };
      const query = queryOf(question, options, Math.floor(nowMs / 1000));
      const { allowance, quota } = await chargedLookup(caller, needs);
      const bounds = { allowance, signal };
      const found =
        query.verb === 'flex' ? await askTexts(query, bounds, needs) : await askRows(query, bounds, needs);
      const records = found.items.map((row) =>
        'owner' in row ? recordOfRow(row) : recordOfText(row, question.side === 'names' ? 'names' : 'rdata'),
      );
      const more = found.ending.outcome === 'limited';
      return {
        question: questionOnWire(question, options, needs.settings),
        sort,
        records,
        more,
        cursor: found.ending.outcome === 'limited' ? (found.ending.cursor ?? null) : null,
        quota,
      };
    },
  });
}

function summaryOperation(needs: PassiveDnsWebNeeds): WebOperation {
  const spanOf = (span: { firstSeconds: number; lastSeconds: number } | undefined) =>
    span ? { first: humanTime(span.firstSeconds), last: humanTime(span.lastSeconds) } : null;
  return defineWebOperation({
    ...common,
    path: '/pdns/summary',
    summary: 'How many passive DNS records and observations there are, and since when',
    query: questionQuery,
    answer: PassiveDnsSummary,
    handle: async ({ query: typed, caller, nowMs, signal }) => {
      const question = rowQuestionOf(typed);
      const options: QuestionOptions = { ...windowOf(typed), verb: 'summarize', limit: rowsMax };
      const query = queryOf(question, options, Math.floor(nowMs / 1000)) as RowQuery;
      const { allowance, quota } = await chargedLookup(caller, needs);
      const { summary, complete } = await askSummary(query, { allowance, signal }, needs);
      return {
        question: questionOnWire(question, options, needs.settings),
        records: summary?.results ?? 0,
        count: summary?.count ?? 0,
        complete,
        sensor: spanOf(summary?.seen.sensor),
        zone: spanOf(summary?.seen.zone),
        quota,
      };
    },
  });
}

function calendarOperation(needs: PassiveDnsWebNeeds): WebOperation {
  return defineWebOperation({
    ...common,
    path: '/pdns/calendar',
    summary: 'On which days passive DNS records were seen',
    query: questionQuery,
    answer: PassiveDnsCalendar,
    handle: async ({ query: typed, caller, nowMs, signal }) => {
      const question = rowQuestionOf(typed);
      const days = calendarDaysOf(typed, nowMs);
      // Without time fences, which would hide when a record was seen first.
      const options: QuestionOptions = { verb: 'lookup', raw: true, limit: rowsMax };
      const query = queryOf(question, options, Math.floor(nowMs / 1000)) as RowQuery;
      const { allowance, quota } = await chargedLookup(caller, needs);
      const calendar = new Calendar(days.from, days.to);
      const search = lookUp(query, allowance, needs.rrsets);
      const count = (rows: readonly Row[]) => {
        for (const row of rows) calendar.add(row);
      };
      const ending = await readSlices(search, count, { signal, ...needs.settings.pdns });
      return {
        question: questionOnWire(question, { ...options, ...windowOf(typed) }, needs.settings),
        from: dayText(days.from),
        to: dayText(days.to),
        complete: ending.outcome === 'complete',
        days: calendar.days().map(({ day, ...rest }) => ({ day: dayText(day), ...rest })),
        quota,
      };
    },
  });
}
