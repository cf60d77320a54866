/** The OpenAPI description of the passive DNS routes. It validates nothing: queries are parsed by the product. */
import { type TProperties, type TSchema, Type } from 'typebox';
import { csv, json, ndjson } from './media-type.ts';
import { RateAnswer } from './rate-text.ts';

const tags = ['Passive DNS'];
const keyed = { tags, security: [{ header: [] }] };

const rest = (description: string) => Type.Object({ '*': Type.String({ description }) });
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

const Obj = (obj: TProperties) =>
  Type.Object(
    {
      cond: Type.Optional(Type.String({ description: 'begin, succeeded, limited or failed' })),
      msg: Type.Optional(Type.String()),
      obj: Type.Optional(Type.Object(obj)),
      cursor: Type.Optional(Type.String()),
    },
    { description: 'one line of the response' },
  );

const RowMembers = {
  count: Type.Integer(),
  time_first: Type.Optional(Type.Integer()),
  time_last: Type.Optional(Type.Integer()),
  zone_time_first: Type.Optional(Type.Integer()),
  zone_time_last: Type.Optional(Type.Integer()),
  rrname: Type.String(),
  rrtype: Type.String(),
  bailiwick: Type.Optional(Type.String()),
  rdata: Type.Array(Type.String()),
};

const rowPath =
  'rrset/name/NAME[/RRTYPE[/BAILIWICK]], rrset/raw/HEX[/RRTYPE], rdata/name/NAME[/RRTYPE], rdata/ip/ADDRESS[/RRTYPE] or rdata/raw/HEX[/RRTYPE]';

function data(
  operationId: string,
  summary: string,
  parts: { path?: string; querystring: TProperties; line: TSchema; produces?: string[] },
) {
  return {
    ...keyed,
    operationId,
    summary,
    ...(parts.path === undefined ? {} : { params: rest(parts.path) }),
    querystring: Type.Object(parts.querystring),
    produces: parts.produces ?? [ndjson, csv],
    response: { 200: parts.line },
  };
}

export const lookupSchema = (operationId: string) =>
  data(operationId, 'Records of a name, or with a name, address or bytes in their rdata', {
    path: rowPath,
    querystring: { ...Page, ...Rows, max_count: integer('maximum count of a row') },
    line: Obj(RowMembers),
  });

export const summarizeSchema = (operationId: string) =>
  data(operationId, 'A summary of what a lookup would return', {
    path: rowPath,
    querystring: {
      limit: Page.limit,
      ...Rows,
      max_count: integer('stops once the total count has reached this'),
    },
    line: Obj({ ...RowMembers, num_results: Type.Integer() }),
  });

export const flexSchema = (operationId: string, summary: string) =>
  data(operationId, summary, {
    path: 'rrnames/PATTERN[/RRTYPE] or rdata/PATTERN[/RRTYPE]',
    querystring: {
      ...Page,
      ...Fences,
      exclude: Type.Optional(Type.String({ description: 'a pattern of what to exclude' })),
      verbose: flag(false, 'with count and times'),
    },
    line: Obj({
      rrname: Type.Optional(Type.String()),
      rdata: Type.Optional(Type.String()),
      rrtype: Type.String(),
      raw_rdata: Type.Optional(Type.String()),
    }),
  });

export const cofSchema = data('queryCof', 'Records of a name or address in the Common Output Format', {
  path: 'a domain name or an address',
  querystring: { ...Page, ...Rows },
  line: Type.Object(RowMembers),
  produces: [ndjson, json, csv],
});

const Query = Type.Object({ id: Type.Optional(Type.String()), query: Type.String() });

export const bulkSchema = {
  ...keyed,
  operationId: 'bulk',
  summary: 'Up to 1000 queries in one request, each charged as a lookup',
  body: Type.Object({ queries: Type.Array(Query, { maxItems: 1000 }) }),
  consumes: [json, ndjson],
  produces: [ndjson],
  response: {
    200: Type.Object({ query: Type.Optional(Type.String()), ...Obj(RowMembers).properties }),
  },
};

export const rateLimitSchema = (operationId: string) => ({
  ...keyed,
  operationId,
  summary: 'The state of the key’s quota; not charged',
  produces: [ndjson, json],
  response: { 200: RateAnswer },
});

export const pingSchema = {
  tags,
  operationId: 'ping',
  summary: 'Whether the API is reachable; with any key or none',
  produces: [ndjson, json],
  response: { 200: Type.Object({ ping: Type.String() }) },
};
