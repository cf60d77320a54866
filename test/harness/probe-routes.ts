/**
 * Every operation of the contract's table but for the account's and those whose body is data, answering with what it received.
 * With them the rules that hold for all operations (credentials, permissions, parameters, limits) are proved on the real
 * doors before there is a product behind each.
 */
import { Type } from 'typebox';
import type { Offer } from '../../src/http/platform/offer.ts';
import { type OperationId, operations } from '../../src/http/platform/operations.ts';

const own: readonly OperationId[] = [
  'getAccountInfo',
  'getAccountKeys',
  'postAccountKey',
  'postAccountKeyReset',
  'postChannelLines',
];

const ReadParameters = Type.Object({
  domain: Type.Optional(Type.String()),
  tlds: Type.Optional(Type.Array(Type.String())),
  escalation_types: Type.Optional(Type.Array(Type.Unsafe<string>({ enum: ['blocked', 'external_safe'] }))),
  mx_exists: Type.Optional(Type.Boolean()),
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  order: Type.Optional(Type.Unsafe<string>({ enum: ['asc', 'desc'] })),
  ad_tracker_code: Type.Optional(Type.String()),
});

const WriteParameters = Type.Object({
  ...ReadParameters.properties,
  term: Type.String({ minLength: 3 }),
  state: Type.Optional(Type.Unsafe<string>({ enum: ['watched', 'ignored'] })),
});

/** The operations of Detect whose body the contract describes, and that answer 422. */
export const contractWrites: readonly OperationId[] = [
  'postDetectMonitor',
  'putDetectMonitor',
  'patchDetectDomains',
  'postDetectEscalations',
];

export const probedOperations = (Object.keys(operations) as OperationId[]).filter((id) => !own.includes(id));

export function probeRoutes(offer: Offer): void {
  for (const id of probedOperations) {
    offer(id, {
      parameters: contractWrites.includes(id) ? WriteParameters : ReadParameters,
      answer: Type.Object({ operation: Type.String(), received: Type.Any() }),
      run: async ({ parameters }) => ({ operation: id, received: parameters }),
    });
  }
}

/** `GET /v1/intel-detect/monitors/`, with path parameters filled in. */
export function routeOf(id: OperationId): string {
  const [method, path] = operations[id].route.split(' ');
  return `${method} /v1${path?.replace(':feed', 'nod').replace(':channel', '212')}`;
}
