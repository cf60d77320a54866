/** The OpenAPI description of the passive DNS routes. It validates nothing: queries are parsed by the product. */
import { type TProperties, type TSchema, Type } from 'typebox';
import type { PathTemplate } from '../description/route-description.ts';
import { csv, json, ndjson } from './media-type.ts';
import { cofTemplates, patternTemplates, rowTemplates } from './path-templates.ts';
import { RateAnswer } from './rate-text.ts';

const tags = ['Passive DNS'];
const keyed = { tags, security: [{ header: [] }] };

const integer = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }));
const flag = (value: boolean, description: string) =>
  Type.Optional(Type.Boolean({ default: value, description }));
const fence = (description: string) =>
  Type.Optional(
    Type.Integer({ description: `${description}, inclusive; epoch seconds, negative: before now` }),
  );

const Fences = {
  time_first_before: fence('first seen at or before'),
  time_first_after: fence('first seen at or after'),
  time_last_before: fence('last seen at or before'),
  time_last_after: fence('last seen at or after'),
};

const Page = {
  limit: integer('maximum number of results; 10000 by default, 0: as many as the key allows'),
  offset: integer('results to skip'),
  sort: Type.Optional(Type.Literal('time_last', { description: 'newest first' })),
  cursor: Type.Optional(Type.String({ description: 'the cursor of the previous response' })),
  format: Type.Optional(Type.String({ description: 'ndjson or csv; by default according to Accept' })),
};

const Rows = {
  ...Fences,
  min_count: integer('minimum count of a row'),
  aggr: flag(true, 'false: a row for each stored time bucket'),
  humantime: flag(false, 'times as RFC 3339 text'),
};

const time = Type.Optional(
  Type.Unsafe<number | string>({
    type: ['integer', 'string'],
    description: 'epoch seconds; text with humantime',
  }),
);

const Times = { time_first: time, time_last: time, zone_time_first: time, zone_time_last: time };

const RowMembers = {
  count: Type.Integer(),
  ...Times,
  rrname: Type.String(),
  rrtype: Type.String(),
  bailiwick: Type.Optional(Type.String()),
};

const Line = (title: string, obj: TSchema) =>
  Type.Object(
    {
      cond: Type.Optional(Type.String({ description: 'begin, succeeded, limited or failed' })),
      msg: Type.Optional(Type.String()),
      obj: Type.Optional(obj),
      cursor: Type.Optional(Type.String({ description: 'where the next page begins' })),
    },
    { title, description: 'one line of the response' },
  );

const texts = Type.Array(Type.String());
const PdnsRow = Type.Object({ ...RowMembers, rdata: texts }, { title: 'PdnsRow' });
const CofRow = Type.Object(
  {
    ...RowMembers,
    rdata: texts,
    origin: Type.Optional(Type.String({ description: 'the URL of this server' })),
  },
  { title: 'CofRow' },
);
const PdnsRowV1 = Type.Object(
  { ...RowMembers, rdata: Type.Union([texts, Type.String()], { description: 'a text in lookups by rdata' }) },
  { title: 'PdnsRowV1' },
);
const PdnsSummary = Type.Object(
  { count: Type.Integer(), num_results: Type.Integer(), ...Times },
  { title: 'PdnsSummary' },
);
const PdnsMatch = Type.Object(
  {
    rrname: Type.Optional(Type.String()),
    rdata: Type.Optional(Type.String()),
    rrtype: Type.String(),
    raw_rdata: Type.Optional(Type.String()),
    count: Type.Optional(Type.Integer()),
    time_first: time,
    time_last: time,
  },
  { title: 'PdnsMatch' },
);
const PdnsLine = Line('PdnsLine', PdnsRow);
const PdnsSummaryLine = Line('PdnsSummaryLine', PdnsSummary);
const PdnsMatchLine = Line('PdnsMatchLine', PdnsMatch);

interface DataParts {
  readonly summary: string;
  readonly description: string;
  readonly templates: readonly PathTemplate[];
  readonly querystring: TProperties;
  readonly line: TSchema;
  readonly produces?: readonly string[];
  readonly deprecated?: boolean;
}

function data({ querystring, line, produces = [ndjson, csv], ...described }: DataParts) {
  return { ...keyed, ...described, querystring: Type.Object(querystring), produces, response: { 200: line } };
}

/** Which version of the API, and whether at the path that its clients expect. */
export interface VersionForm {
  /** What the ids of its operations end with. */
  readonly suffix: '' | 'V1' | 'V1AtRoot';
}

const framing =
  'A line with `cond` `succeeded` or `limited` is the last one; without it the response is incomplete.';
const plainLines = 'Records as plain lines, without framing; no results are a 404.';
const atRootAgain = 'The same as below /pdns/v1, at the path that clients of version 1 expect.';

const producedBy = ({ suffix }: VersionForm) => (suffix === '' ? [ndjson, csv] : [json, ndjson, csv]);

function formOf({ suffix }: VersionForm) {
  const atRoot = suffix === 'V1AtRoot';
  const notes = suffix === '' ? framing : `${plainLines}${atRoot ? ` ${atRootAgain}` : ''}`;
  return { notes, ...(atRoot ? { deprecated: true } : {}) };
}

export function lookupSchema(version: VersionForm) {
  const { notes, ...form } = formOf(version);
  return data({
    ...form,
    summary: 'Records of a name, or with a name, address or bytes in their rdata',
    description: `Charged as one lookup. ${notes}`,
    templates: rowTemplates('lookup', version.suffix),
    querystring: { ...Page, ...Rows, max_count: integer('maximum count of a row') },
    line: version.suffix === '' ? PdnsLine : PdnsRowV1,
    produces: producedBy(version),
  });
}

export function summarizeSchema(version: VersionForm) {
  const { notes, ...form } = formOf(version);
  return data({
    ...form,
    summary: 'A summary of what a lookup would return',
    description: `Charged as one lookup. ${notes}`,
    templates: rowTemplates('summarize', version.suffix),
    querystring: {
      limit: Page.limit,
      ...Rows,
      max_count: integer('stops once the total count has reached this'),
    },
    line: version.suffix === '' ? PdnsSummaryLine : PdnsSummary,
    produces: producedBy(version),
  });
}

export const flexSchema = (verb: 'regex' | 'glob', summary: string) =>
  data({
    summary,
    description: `Charged as one lookup. ${framing}`,
    templates: patternTemplates(verb),
    querystring: {
      ...Page,
      ...Fences,
      exclude: Type.Optional(Type.String({ description: 'a pattern of what to exclude' })),
      verbose: flag(false, 'with count and times'),
    },
    line: PdnsMatchLine,
  });

export const cofSchema = {
  ...data({
    summary: 'Records of a name or address in the Common Output Format',
    description:
      'For clients of COF servers: the key is also accepted as the password of HTTP Basic. No results are an empty response.',
    templates: cofTemplates,
    querystring: { ...Page, ...Rows },
    line: CofRow,
    produces: [ndjson, json, csv],
  }),
  security: [{ header: [] }, { basic: [] }],
};

const Query = Type.Object({ id: Type.Optional(Type.String()), query: Type.String() });

export const bulkSchema = {
  ...keyed,
  operationId: 'bulk',
  summary: 'Up to 1000 queries in one request',
  description: `Each query is charged as a lookup when it starts. ${framing}`,
  body: Type.Object({ queries: Type.Array(Query, { maxItems: 1000 }) }),
  consumes: [json, ndjson],
  produces: [ndjson],
  response: {
    200: Type.Object(
      {
        query: Type.Optional(Type.String({ description: 'the id of the query' })),
        ...PdnsLine.properties,
        outcome: Type.Optional(Type.String({ description: 'how the query ended' })),
      },
      { title: 'PdnsBulkLine', description: 'one line of the response' },
    ),
  },
};

export const rateLimitSchema = (operationId: string) => ({
  ...keyed,
  operationId,
  summary: 'The state of the key’s quota',
  description: 'Not charged. Numbers, or words where there is no limit.',
  ...(operationId.endsWith('AtRoot') ? { deprecated: true } : {}),
  produces: [ndjson, json],
  response: { 200: RateAnswer },
});

export const pingSchema = {
  tags,
  operationId: 'ping',
  summary: 'Whether the API is reachable',
  description: 'With any key or none.',
  security: [],
  produces: [ndjson, json],
  response: { 200: Type.Object({ ping: Type.String() }) },
};
