/** Passive DNS: a summary first, then rows. One call is one lookup of the key's quota. */
import { Type } from 'typebox';
import { Problem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { pdnsRow, pdnsTextRow, timeOf as timeText } from '../../../product/assistant/pdns-rows.ts';
import type { Detail } from '../../../product/assistant/third-parties.ts';
import type { Allowance } from '../../../product/pdns/page.ts';
import { type FlexQuery, parseQuery, type Query, type RowQuery } from '../../../product/pdns/query.ts';
import {
  type AskNeeds,
  askRows,
  askSummary,
  askTexts,
  type Rows,
} from '../../../product/pdns/question/ask.ts';
import { pathOf } from '../../../product/pdns/question/question-query.ts';
import { readQuestion } from '../../../product/pdns/question/read-question.ts';
import { allowanceOf, authorize, chargeLookup, type QuotaNeeds } from '../../../product/pdns/quota.ts';
import type { UsageStore } from '../../../store/usage-store.ts';
import { fitAnswer, rowsAnswer } from '../answer.ts';
import { defineTool, type Tool, type ToolAnswer, type ToolContext } from '../tool.ts';
import { timeOf } from './domain-tools.ts';
import { Cursor, choiceOf, input, limitOf, Time } from './inputs.ts';

export interface PdnsToolNeeds extends AskNeeds, QuotaNeeds {
  readonly usage: QuotaNeeds['usage'] & Pick<UsageStore, 'noteUse'>;
  readonly settings: Pick<Settings, 'pdns' | 'assistant'>;
}

const RrType = Type.Optional(
  Type.String({ pattern: '^[A-Za-z0-9-]{1,20}$', description: 'such as A, MX, TXT; any by default' }),
);
const fences = { since: Time('seen since then'), until: Time('seen until then') };
const apiVersion = 2;
/** Of how many records a summary is made. */
const summaryRowsMax = 10_000;

export function pdnsTools(needs: PdnsToolNeeds): readonly Tool[] {
  return [
    lookupTool(needs, {
      name: 'pdns_forward',
      title: 'Passive DNS of a name',
      side: 'names',
      description:
        'Which DNS records a name had, and when: example.com, or *.example.com for everything below it.',
      subject: 'name: www.example.com, *.example.com',
    }),
    lookupTool(needs, {
      name: 'pdns_inverse',
      title: 'Passive DNS by data',
      side: 'data',
      description: 'Which names pointed to an address, a network or a host, and when.',
      subject: 'address, network or name: 192.0.2.1, 192.0.2.0/24, ns1.example.com',
    }),
    flexibleTool(needs),
  ];
}

interface LookupWords {
  readonly name: string;
  readonly title: string;
  readonly side: 'names' | 'data';
  readonly description: string;
  readonly subject: string;
}

function lookupTool(needs: PdnsToolNeeds, { side, subject, ...words }: LookupWords): Tool {
  return defineTool({
    ...words,
    input: input({
      value: Type.String({ minLength: 1, maxLength: 1024, description: subject }),
      rrtype: RrType,
      ...fences,
      limit: limitOf(20, 200),
      cursor: Cursor,
    }),
    products: ['pdns'],
    permission: 'read',
    call: async ({ value, rrtype, since, until, limit = 20, cursor }, context) => {
      const question = readQuestion({ text: value, side, ...(rrtype === undefined ? {} : { type: rrtype }) });
      if (question.form === 'glob' || question.form === 'regex')
        throw new Problem('invalid-parameters', 'value: must not be a pattern; use pdns_flexible');
      const parameters = fencesOf(since, until);
      const queryOf = (verb: 'lookup' | 'summarize', more: Readonly<Record<string, string>>) =>
        queryIn(pathOf(question, verb), { ...parameters, ...more }, context) as RowQuery;
      const page = { sort: 'time_last', ...(cursor === undefined ? {} : { cursor }) };
      const rowsQuery = (rows: number) => queryOf('lookup', { ...page, limit: String(rows) });
      rowsQuery(limit);
      const bounds = { allowance: await charged(context, needs), signal: context.signal };
      const summary = await askSummary(
        queryOf('summarize', { limit: String(summaryRowsMax) }),
        bounds,
        needs,
      );
      const head = summaryOf(summary);
      return rowsOf(head, limit, {
        ask: (rows) => askRows(rowsQuery(rows), bounds, needs),
        shown: (items, detail) => items.map((row) => pdnsRow(row, detail)),
        answerBytesMax: needs.settings.assistant.answerBytesMax,
      });
    },
  });
}

function flexibleTool(needs: PdnsToolNeeds): Tool {
  return defineTool({
    name: 'pdns_flexible',
    title: 'Passive DNS by pattern',
    description:
      'Names, or data, that match a regular expression or a glob. Slow and broad: use it when no exact name is known.',
    input: input({
      pattern: Type.String({
        minLength: 1,
        maxLength: 512,
        description: 'paypa[l1].*\\.example\\.$ or *login*.example.',
      }),
      kind: choiceOf(['regex', 'glob'], 'how to read the pattern'),
      over: Type.Optional(choiceOf(['rrnames', 'rdata'], 'what is searched; rrnames by default')),
      rrtype: RrType,
      ...fences,
      limit: limitOf(20, 100),
      cursor: Cursor,
    }),
    products: ['pdns'],
    permission: 'read',
    call: async ({ pattern, kind, over = 'rrnames', rrtype, since, until, limit = 20, cursor }, context) => {
      const path = [kind, over, pattern, ...(rrtype === undefined ? [] : [rrtype])];
      const parameters = {
        ...fencesOf(since, until),
        verbose: 'true',
        ...(cursor === undefined ? {} : { cursor }),
      };
      const textsQuery = (rows: number) =>
        queryIn(path, { ...parameters, limit: String(rows) }, context) as FlexQuery;
      textsQuery(limit);
      const bounds = { allowance: await charged(context, needs), signal: context.signal };
      return rowsOf({}, limit, {
        ask: (rows) => askTexts(textsQuery(rows), bounds, needs),
        shown: (items) => items.map((row) => pdnsTextRow(row, over)),
        answerBytesMax: needs.settings.assistant.answerBytesMax,
      });
    },
  });
}

interface RowReading<Item> {
  readonly ask: (rows: number) => Promise<Rows<Item>>;
  readonly shown: (items: readonly Item[], detail: Detail) => readonly object[];
  readonly answerBytesMax: number;
}

/** Rows that did not fit are left to the next page: the cursor is that of a page which ends where this one was cut. */
async function rowsOf<Item>(
  head: object,
  limit: number,
  { ask, shown, answerBytesMax }: RowReading<Item>,
): Promise<ToolAnswer> {
  const page = await ask(limit);
  const answer = { head, name: 'rows', rowsIn: (detail: Detail) => shown(page.items, detail) };
  const fitted = fitAnswer(answer, answerBytesMax);
  const { ending } = fitted.cut === 0 ? page : await ask(Math.max(1, fitted.rows.length));
  const hasMore = ending.outcome === 'limited';
  const cursor = hasMore ? ending.cursor : undefined;
  return {
    data: rowsAnswer({ ...answer, head: { ...head, has_more: hasMore } }, fitted, { more: null, cursor }),
  };
}

function summaryOf({ summary, complete }: Awaited<ReturnType<typeof askSummary>>): object {
  if (!summary) return { records: 0, observations: 0 };
  const span = ({ firstSeconds, lastSeconds }: { firstSeconds: number; lastSeconds: number }) => ({
    first: timeText(firstSeconds),
    last: timeText(lastSeconds),
  });
  const { sensor, zone } = summary.seen;
  return {
    records: summary.results,
    ...(complete ? {} : { at_least: true }),
    observations: summary.count,
    ...(sensor ? { seen: span(sensor) } : {}),
    ...(zone ? { in_zone_files: span(zone) } : {}),
  };
}

function fencesOf(since: string | undefined, until: string | undefined): Record<string, string> {
  const [sinceMs, untilMs] = [timeOf('since', since), timeOf('until', until)];
  return {
    ...(sinceMs === undefined ? {} : { time_last_after: String(Math.floor(sinceMs / 1000)) }),
    ...(untilMs === undefined ? {} : { time_first_before: String(Math.floor(untilMs / 1000)) }),
  };
}

function queryIn(
  path: readonly string[],
  parameters: Readonly<Record<string, string>>,
  { nowMs }: ToolContext,
): Query {
  const given = new Map(Object.entries(parameters).map(([name, value]) => [name, [value]]));
  return parseQuery(path, given, Math.floor(nowMs / 1000));
}

async function charged({ caller, client, nowMs }: ToolContext, needs: PdnsToolNeeds): Promise<Allowance> {
  const holder = authorize(caller, { key: undefined, apiVersion, client }, needs);
  await chargeLookup(holder, needs);
  const { account, user } = caller;
  const use = {
    accountId: account.id,
    username: user.username,
    item: 'pdns',
    key: { userId: user.id, client },
  };
  needs.usage.noteUse(use, nowMs);
  return allowanceOf(holder.grant, needs.settings);
}
