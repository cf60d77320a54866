/** The errors of each API, as shared responses of the description. */
import { type TSchema, Type } from 'typebox';
import { BatchError } from '../batch/route-schemas.ts';
import { ErrorResponse } from '../platform/dialect.ts';
import type { Components, Json } from './components.ts';
import type { ErrorKind } from './route-description.ts';

interface ErrorForm {
  readonly contentType: string;
  readonly body: TSchema;
  readonly example: unknown;
  /** Whether requests are limited. */
  readonly limited: boolean;
}

const support = 'https://names.example/docs';

const forms: Readonly<Record<ErrorKind, ErrorForm>> = {
  platform: {
    contentType: 'application/json',
    body: ErrorResponse,
    example: {
      error: { code: 401, message: 'No credentials were sent. Send an API key in the header X-Api-Key.' },
      resources: { support },
    },
    limited: true,
  },
  batch: {
    contentType: 'application/json',
    body: BatchError,
    example: {
      _status: 'NOK',
      _message: 'Invalid parameter value',
      status: 403,
      type: 'invalid-parameters',
      detail: 'apikey: should be a string in UUID format',
      logid: '7cd0e4f7-c292-4187-952a-0930935acac1',
      invalid_parameters: { name: 'apikey', reason: 'should be a string in UUID format' },
    },
    limited: false,
  },
  pdns: {
    contentType: 'text/plain',
    body: Type.String({ description: 'one line: Error: and the message', pattern: '^Error: ' }),
    example: 'Error: limit: must be an integer of at least 0\n',
    limited: true,
  },
  link: {
    contentType: 'application/xml',
    body: Type.String({ description: 'with the error codes of object stores' }),
    example:
      '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>The link has expired.</Message><RequestId>1</RequestId></Error>\n',
    limited: false,
  },
};

const headers = {
  'Retry-After': {
    description: 'seconds until the request may succeed; absent if waiting does not help',
    schema: { type: 'integer', minimum: 0 },
  },
};

const scopeKinds: Readonly<Record<string, ErrorKind>> = {
  platform: 'platform',
  batch: 'batch',
  pdns: 'pdns',
  files: 'link',
};

export function errorKindOf(scope: string | undefined, declared: ErrorKind | undefined): ErrorKind {
  return declared ?? scopeKinds[scope ?? ''] ?? 'platform';
}

export function errorReferences(kind: ErrorKind): Json {
  const to = (name: string) => ({ $ref: `#/components/responses/${kind}${name}` });
  return { ...(forms[kind].limited ? { 429: to('Limit') } : {}), '4XX': to('Error'), '5XX': to('Failure') };
}

export function errorResponses(components: Components): Json {
  const entries = Object.entries(forms).flatMap(([kind, { contentType, body, example, limited }]) => {
    const schema = components.schema(body);
    const content = { [contentType]: { schema } };
    return [
      [
        `${kind}Error`,
        { description: 'The request was refused', content: { [contentType]: { schema, example } } },
      ],
      [`${kind}Failure`, { description: 'The server failed, or is busy', content }],
      ...(limited
        ? [[`${kind}Limit`, { description: 'A limit or quota is used up', headers, content }]]
        : []),
    ];
  });
  return Object.fromEntries(entries) as Json;
}
