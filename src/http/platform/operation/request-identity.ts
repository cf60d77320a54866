/**
 * The identity of a signed request, for replay protection: what the operation understands of it, whatever its spelling. Parameters that
 * the operation does not read, such as `app_name`, are not part of it: otherwise adding one would make a captured request a new one.
 */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { split } from '../../address.ts';
import { emptyBody } from '../../raw-body.ts';
import type { OperationDescription } from './define-operation.ts';
import { bodyOf, type RawParameters } from './raw-parameters.ts';
import { requestParameters } from './route-schema.ts';

export type IdentityOf = (request: FastifyRequest, raw: RawParameters, signature: string) => Buffer;

export function requestIdentity(
  operation: OperationDescription,
  readParameters: (raw: RawParameters) => object,
): IdentityOf {
  const understood = understoodParts(operation, readParameters);
  return (request, raw, signature) => {
    const parts = findParts(understood, raw);
    const described = parts ?? readableTexts(operation, raw);
    return createHash('sha256')
      .update(JSON.stringify([request.method, split(request.url).path, signature, described]))
      .update(operation.bodyIsData || parts === undefined ? bodyOf(request) : emptyBody)
      .digest();
  };
}

/** The same without signature and `format`: two requests with this identity ask the same question. */
export function questionIdentity(
  operation: OperationDescription,
  readParameters: (raw: RawParameters) => object,
): (request: FastifyRequest, raw: RawParameters) => string {
  const understood = understoodParts(operation, (raw) => {
    const { format: _, ...parameters } = readParameters(raw) as { format?: unknown };
    return parameters;
  });
  return (request, raw) =>
    createHash('sha256')
      .update(JSON.stringify([request.method, split(request.url).path, understood(raw)]))
      .digest('base64url');
}

/** The parameters as the operation gets them, defaults included, and what it reads besides. */
function understoodParts(
  { rawParameters, rawIdentity }: OperationDescription,
  readParameters: (raw: RawParameters) => object,
) {
  const rawNames = Object.keys(rawParameters ?? {});
  const readRaw = rawIdentity ?? ((raw: RawParameters) => valuesOf(raw, rawNames));
  return (raw: RawParameters) => [sorted(Object.entries(readParameters(raw))), readRaw(raw)];
}

/** Undefined for a request that the operation will refuse as invalid. */
function findParts(understood: (raw: RawParameters) => unknown, raw: RawParameters): unknown {
  try {
    return understood(raw);
  } catch {
    return undefined;
  }
}

/** An invalid request is identified by its text: the declared parameters of the query string, and the bytes of the body. */
function readableTexts(operation: OperationDescription, raw: RawParameters): unknown {
  const values = valuesOf(raw, Object.keys(requestParameters(operation).properties));
  return values.filter(([, value]) => value !== undefined && 'text' in value);
}

function valuesOf(raw: RawParameters, names: readonly string[]) {
  return sorted(names.map((name) => [name, raw.values.get(name)] as const));
}

function sorted<Value>(entries: readonly (readonly [name: string, value: Value])[]) {
  return [...entries].sort(([left], [right]) => (left < right ? -1 : 1));
}
