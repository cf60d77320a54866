/**
 * OpenAPI schemas of the batch routes. Request bodies are validated by `members.ts`; these schemas serialize the
 * responses.
 */
import { Type } from 'typebox';

const tags = ['Batch'];
/** The key is a member of the body, for which OpenAPI has no scheme. */
const security: readonly never[] = [];
const keyInBody = 'The batch key is the member `apikey` of the body.';
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

/** For the OpenAPI description; `dialect.ts` writes it. */
export const BatchError = Type.Object(
  {
    _status: Type.String({ description: 'NOK' }),
    _message: Type.String(),
    status: Type.Integer({ description: 'the HTTP status' }),
    type: Type.String({ description: 'which kind of error, such as invalid-parameters or no-data' }),
    detail: Type.Optional(Type.String()),
    logid: Type.String({ description: 'the id of the log entry' }),
    invalid_parameters: Type.Optional(Type.Object({ name: Type.String(), reason: Type.String() })),
  },
  { title: 'BatchError' },
);

export const validateSchema = {
  operationId: 'validate',
  tags,
  security,
  description: keyInBody,
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
  security,
  description: `One key for all channels, or the request is refused. ${keyInBody}`,
  summary: 'Describes the data of channels',
  body: Type.Object({ ...Key, channels: Type.Array(channel, { minItems: 1 }) }),
  response: { 200: Type.Object({ channels: Type.Record(Type.String(), Details), ...Outcome }) },
};

export const chfetchSchema = {
  operationId: 'chfetch',
  tags,
  security,
  description: `Whole minutes: the first is included, the last excluded. A single range of bytes may be requested. ${keyInBody}`,
  summary: 'Downloads the data of a time range',
  body: SpanBody,
  produces: ['application/x-ndjson'],
  response: { 200: Type.Any({ description: 'the data' }) },
};

export const makeurlSchema = {
  operationId: 'makeurl',
  tags,
  security,
  description: `Anybody who has the link may download until it expires. ${keyInBody}`,
  summary: 'Creates a link to the data of a time range that works without a key',
  body: SpanBody,
  response: { 200: Type.Object({ ...Outcome, url: Type.String({ format: 'uri' }) }) },
};
