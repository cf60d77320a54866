/**
 * Operations that echo their parameters, in place of every operation of the contract except those of the account and those
 * with a data body. They test the rules that apply to all operations (credentials, permissions, parameters, limits)
 * independently of the products.
 */
import { type TObject, Type } from 'typebox';
import { readConfig } from '../../../src/config.ts';
import { defineOperation, type Operation } from '../../../src/http/platform/operation/define-operation.ts';
import { type ListedOperation, listOperations } from '../../../src/http/platform/operations.ts';

const { settings } = readConfig({ environment: {}, flags: {} });

/** By id, with default settings. */
export const operations: Readonly<Record<string, ListedOperation>> = Object.fromEntries(
  listOperations(settings).map((operation) => [operation.id, operation]),
);

export function getOperation(id: string): ListedOperation {
  const operation = operations[id];
  if (!operation) throw new Error(`there is no operation ${id}`);
  return operation;
}

const own = [
  'getAccountInfo',
  'getAccountUser',
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

/** The Detect operations that validate their body with 422. */
export const contractWrites: readonly string[] = [
  'postDetectMonitor',
  'putDetectMonitor',
  'patchDetectDomains',
  'postDetectEscalations',
];

export const echoedOperations = Object.keys(operations).filter((id) => !own.includes(id));

interface StubOptions {
  readonly parameters?: TObject;
  readonly handle: (parameters: object) => Promise<object>;
}

/** The operation of that id with other parameters and another handler, charged to its product. */
export function stubOperation(id: string, { parameters = Type.Object({}), handle }: StubOptions): Operation {
  const { family, route, product, permission, summary } = getOperation(id);
  const writes = contractWrites.includes(id);
  return defineOperation({
    id,
    family: { ...family, errorCode: 'invalid-parameters' },
    route,
    product,
    permission,
    summary,
    ...(writes ? { errorCode: 'invalid-members' } : {}),
    parameters,
    response: Type.Any(),
    handle: (context) => handle(context.parameters),
  });
}

export const echoOperations: readonly Operation[] = echoedOperations.map((id) =>
  stubOperation(id, {
    parameters: contractWrites.includes(id) ? WriteParameters : ReadParameters,
    handle: async (received) => ({ operation: id, received }),
  }),
);

/** `GET /v1/intel-detect/monitors/`, with path parameters filled in. */
export function routeOf(id: string): string {
  const [method, path] = getOperation(id).route.split(' ');
  return `${method} /v1${path?.replace(':feed', 'nod').replace(':channel', '212').replace(':state', 'new').replace(':list', 'new')}`;
}
