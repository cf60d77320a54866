/**
 * OpenAPI schemas of the batch routes. Request bodies are validated by `members.ts`; these schemas serialize the
 * responses.
 */
import { Type } from 'typebox';

const tags = ['Batch'];
const Outcome = { _status: Type.String({ description: 'OK or NOK' }), _message: Type.String() };
const Key = { apikey: Type.String({ format: 'uuid' }) };

const channel = Type.Integer({ minimum: 1, maximum: 255 });
const time = (description: string) =>
  Type.String({ description: `${description}; YYYY-MM-DD HH:MM:SS in UTC, seconds are ignored` });

const SpanBody = Type.Object({
  ...Key,
  channel,
  start_time: time('inclusive'),
  end_time: time('exclusive'),
});

export const validateSchema = {
  operationId: 'validate',
  tags,
  summary: 'Verifies a key and lists its channels',
  body: Type.Object(Key),
  response: {
    200: Type.Object({
      profile: Type.Object({
        username: Type.String(),
        batch: Type.Record(Type.String(), Type.Object({ description: Type.String() })),
      }),
      ...Outcome,
    }),
  },
};

const Details = Type.Object({
  earliest: Type.String(),
  latest: Type.String({ description: 'exclusive end: earliest to latest covers all data' }),
  size: Type.Integer({ description: 'bytes' }),
  mimetype: Type.String(),
});

export const chdetailsSchema = {
  operationId: 'chdetails',
  tags,
  summary: 'Describes the data of channels',
  body: Type.Object({ ...Key, channels: Type.Array(channel, { minItems: 1 }) }),
  response: { 200: Type.Object({ channels: Type.Record(Type.String(), Details), ...Outcome }) },
};

export const chfetchSchema = {
  operationId: 'chfetch',
  tags,
  summary: 'Downloads the data of a time range',
  body: SpanBody,
  produces: ['application/x-ndjson'],
  response: { 200: Type.Any({ description: 'the data' }) },
};

export const makeurlSchema = {
  operationId: 'makeurl',
  tags,
  summary: 'Creates a link to the data of a time range that works without a key',
  body: SpanBody,
  response: { 200: Type.Object({ ...Outcome, url: Type.String({ format: 'uri' }) }) },
};
