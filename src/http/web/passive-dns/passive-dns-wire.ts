/** Passive DNS: a question as it is typed, its records, their summary and on which days they were seen. */
import { type Static, Type } from 'typebox';
import { NullableText, nullable, oneOf } from '../wire-values.ts';

const Time = Type.String({ maxLength: 40, description: 'a day, or RFC 3339 with its offset' });

/** In the query of all operations. */
export const TypedQuestion = {
  q: Type.String({
    minLength: 1,
    maxLength: 4200,
    description:
      'a name, *.example.com, example.*, an address, a prefix, a range, a glob, /a regular expression/',
  }),
  side: Type.Optional(oneOf(['names', 'data'], 'records of the names, or records that have them as data')),
  type: Type.Optional(Type.String({ maxLength: 20, description: 'a record type' })),
  from: Type.Optional({ ...Time, description: 'seen at or after' }),
  to: Type.Optional({ ...Time, description: 'seen at or before' }),
};

export const QuestionView = Type.Object({
  form: oneOf(['name', 'below', 'child', 'prefix', 'address', 'network', 'range', 'glob', 'regex']),
  side: oneOf(['names', 'data']),
  value: Type.String({ description: 'as it was asked' }),
  address: Type.String({
    description: 'of the same question in the passive DNS API, below the root of the server',
  }),
  dnsdbq: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description:
      'the same for dnsdbq or dnsdbflex; null unless the server has the compatibility profile vendor',
  }),
});
export type QuestionView = Static<typeof QuestionView>;

const Quota = nullable<{ remaining: number; limit: number; reset: string | null; user: string }>(
  'whose passive DNS quota was charged; null: it has no limit',
);

/** GET /ui/api/pdns/records */
export const RecordOptions = Type.Object({
  ...TypedQuestion,
  raw: Type.Optional(Type.Boolean({ description: 'a row for each period that is stored' })),
  sort: Type.Optional(oneOf(['name', 'newest'])),
  cursor: Type.Optional(Type.String({ maxLength: 4000 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
});

export const PassiveDnsRecord = Type.Object({
  rrname: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'null in a search of data' }),
  rrtype: Type.String(),
  bailiwick: NullableText,
  rdata: Type.Array(Type.String(), { description: 'up to 50; none in a search of names' }),
  more_rdata: Type.Integer(),
  count: Type.Integer(),
  first: Type.String(),
  last: Type.String(),
  origin: oneOf(['sensor', 'zone', 'any'], 'any: flexible searches join both'),
});
export type PassiveDnsRecord = Static<typeof PassiveDnsRecord>;

export const PassiveDnsRecords = Type.Object({
  question: QuestionView,
  sort: oneOf(['name', 'newest']),
  records: Type.Array(PassiveDnsRecord),
  cursor: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'of the next page' }),
  more: Type.Boolean(),
  quota: Quota,
});
export type PassiveDnsRecords = Static<typeof PassiveDnsRecords>;

const Span = nullable<{ first: string; last: string }>();

/** GET /ui/api/pdns/summary */
export const PassiveDnsSummary = Type.Object({
  question: QuestionView,
  records: Type.Integer(),
  count: Type.Integer({ description: 'observations of all of them' }),
  complete: Type.Boolean({ description: 'false: there are more records than were counted' }),
  sensor: Span,
  zone: Span,
  quota: Quota,
});
export type PassiveDnsSummary = Static<typeof PassiveDnsSummary>;

/** GET /ui/api/pdns/calendar. Of from and to only the days count; the last 365 without them, at most 3660. */
export const PassiveDnsCalendar = Type.Object({
  question: QuestionView,
  from: Type.String({ description: 'a day, UTC' }),
  to: Type.String(),
  complete: Type.Boolean({ description: 'false: there are more records than were read' }),
  days: Type.Array(
    Type.Object({
      day: Type.String(),
      seen: Type.Integer({ description: 'records that were seen on the day for certain' }),
      count: Type.Integer({ description: 'observations that were on the day for certain' }),
      possible: Type.Integer({
        description:
          'further records that were seen before and after it, of which the days between are not kept',
      }),
      first: Type.Integer({ description: 'records that were seen for the first time' }),
    }),
    { description: 'of which something is known' },
  ),
  quota: Quota,
});
export type PassiveDnsCalendar = Static<typeof PassiveDnsCalendar>;
