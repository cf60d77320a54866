/**
 * The schema of an operation's route: for the OpenAPI description and the serializer. Requests are not validated by it but
 * in `parameters.ts`, after authentication.
 */
import { type TObject, Type } from 'typebox';
import type { Operation, OperationDescription } from './define-operation.ts';

const bodyTypes = ['application/json', 'application/x-www-form-urlencoded'];
/** Signatures and keys in the URL exist too, but have companions for which OpenAPI has no words: a generated client would send half of them. */
const security = [{ header: [] }, { basic: [] }];

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
    description: descriptionOf(operation),
    ...requestSchema(operation),
    security,
    response: responses,
  };
}

/** What every operation has to say about itself, after what only this one has. */
function descriptionOf({
  description,
  permission,
  product,
  family,
  extraFormats = [],
  charge,
}: Operation): string {
  const right =
    permission === 'owner' ? 'For the API owner of the account.' : `Needs the permission \`${permission}\``;
  const products = { any: 'and any product', one: `and the product \`${String(product)}\`` };
  const needed =
    typeof product === 'function'
      ? 'and the product of the feed'
      : products[product === 'any' ? 'any' : 'one'];
  const formats = [...family.formats, ...extraFormats];
  return [
    description,
    permission === 'owner' ? right : `${right} ${needed}.`,
    charge === 'free' ? 'Not charged.' : undefined,
    formats.length > 1 ? `\`format\` chooses among ${formats.join(', ')}.` : undefined,
  ]
    .filter((sentence) => sentence !== undefined)
    .join(' ');
}

function requestSchema(operation: Operation) {
  const parameters = requestParameters(operation);
  if (/^(GET|DELETE) /.test(operation.route)) return { querystring: parameters };
  return operation.bodyIsData
    ? { body: Type.String(), consumes: ['application/x-ndjson'], querystring: parameters }
    : { body: parameters, consumes: bodyTypes };
}
