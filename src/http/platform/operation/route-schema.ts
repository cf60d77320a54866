/**
 * The schema of an operation's route: for the OpenAPI description and the serializer. Requests are not validated by it but
 * in `parameters.ts`, after authentication.
 */
import { type TObject, Type } from 'typebox';
import { ErrorResponse } from '../dialect.ts';
import type { Operation, OperationDescription } from './define-operation.ts';

const bodyTypes = ['application/json', 'application/x-www-form-urlencoded'];
const security = [{ header: [] }, { signature: [] }, { openKey: [] }, { basic: [] }];

/** The declared parameters, and `format` where the family has several. */
export function readableParameters({ family, parameters, extraFormats = [] }: OperationDescription): TObject {
  if (family.formats.length === 1) return parameters;
  const format = Type.Unsafe<string>({
    type: 'string',
    enum: [...family.formats, ...extraFormats],
    default: 'json',
    description: 'format of the response',
  });
  return Type.Object({ ...parameters.properties, format: Type.Optional(format) });
}

/** Everything that a request may send besides credentials. */
export function requestParameters(operation: OperationDescription): TObject {
  return Type.Object({ ...operation.rawParameters, ...readableParameters(operation).properties });
}

export function routeSchema(operation: Operation) {
  const { id, family, summary } = operation;
  const responses =
    'respond' in operation
      ? operation.responses
      : { 200: { ...operation.response, description: operation.summary } };
  return {
    operationId: id,
    tags: [family.tag],
    summary,
    ...requestSchema(operation),
    security,
    response: { ...responses, '4xx': ErrorResponse, '5xx': ErrorResponse },
  };
}

function requestSchema(operation: Operation) {
  const parameters = requestParameters(operation);
  if (/^(GET|DELETE) /.test(operation.route)) return { querystring: parameters };
  return operation.bodyIsData
    ? { body: Type.String(), consumes: ['application/x-ndjson'], querystring: parameters }
    : { body: parameters, consumes: bodyTypes };
}
