/** API key administration, beyond the contract: administrators list and create keys, the API owner resets them. */
import { type Static, Type } from 'typebox';
import type { Caller } from '../../../model/account/account.ts';
import { permissions } from '../../../model/account/permission.ts';
import { fieldProblem } from '../../../model/problem.ts';
import {
  type AdministerNeeds,
  createKey,
  type KeyShownOnce,
  listKeys,
  resetKey,
} from '../../../product/account/administer.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation } from '../operation/define-operation.ts';

const PermissionList = Type.Array(Type.Unsafe<(typeof permissions)[number]>({ enum: permissions }), {
  minItems: 1,
});

const ApiUser = Type.Object({
  username: Type.String(),
  permissions: PermissionList,
  api_owner: Type.Boolean(),
  created_date: Type.String(),
  expires: Type.Union([Type.String(), Type.Null()]),
});

const KeyResponse = Type.Object({
  response: Type.Object({
    user: ApiUser,
    api_key: Type.String({ description: 'shown only in this response' }),
  }),
});

export function keyOperations(needs: AdministerNeeds): readonly Operation[] {
  const getAccountKeys = defineOperation({
    id: 'getAccountKeys',
    family: families.account,
    route: 'GET /account/keys/',
    product: 'any',
    permission: 'admin',
    summary: 'Lists the API users of the account',
    parameters: Type.Object({}),
    response: Type.Object({ response: Type.Object({ users: Type.Array(ApiUser) }) }),
    charge: 'free',
    handle: async ({ caller }) => ({ response: { users: (await listKeys(caller, needs)).map(onWire) } }),
  });

  const postAccountKey = defineOperation({
    id: 'postAccountKey',
    family: families.account,
    route: 'POST /account/keys/',
    product: 'any',
    permission: 'admin',
    summary: 'Creates an API user; its key is shown once',
    parameters: Type.Object({
      username: Type.String(),
      permissions: Type.Optional({ ...PermissionList, default: ['read'] }),
      expires: Type.Optional(
        Type.String({ description: 'ISO 8601 with a time zone; without it the key does not expire' }),
      ),
    }),
    response: KeyResponse,
    charge: 'free',
    handle: async ({ caller, parameters, nowMs }) => {
      const expiresMs = parameters.expires === undefined ? undefined : expiry(parameters.expires, nowMs);
      const request = {
        username: parameters.username,
        permissions: parameters.permissions ?? ['read'],
        expiresMs,
      };
      return keyOnWire(await createKey(caller, request, needs));
    },
  });

  const postAccountKeyReset = defineOperation({
    id: 'postAccountKeyReset',
    family: families.account,
    route: 'POST /account/keys/reset/',
    product: 'any',
    permission: 'owner',
    summary: 'Replaces a key; the old key stops working immediately',
    parameters: Type.Object({ username: Type.String() }),
    response: KeyResponse,
    charge: 'free',
    handle: async ({ caller, parameters }) => keyOnWire(await resetKey(caller, parameters.username, needs)),
  });

  return [getAccountKeys, postAccountKey, postAccountKeyReset];
}

function expiry(text: string, nowMs: number): number {
  const expiresMs = /(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(expiresMs)) {
    throw fieldProblem(
      'invalid-parameters',
      'expires',
      'must be ISO 8601 with a time zone, such as 2027-01-01T00:00:00Z',
    );
  }
  if (expiresMs <= nowMs) throw fieldProblem('invalid-parameters', 'expires', 'must be in the future');
  return expiresMs;
}

function onWire({ user }: Caller): Static<typeof ApiUser> {
  return {
    username: user.username,
    permissions: [...user.permissions],
    api_owner: user.apiOwner,
    created_date: new Date(user.createdMs).toISOString(),
    expires: user.keyExpiresMs === undefined ? null : new Date(user.keyExpiresMs).toISOString(),
  };
}

function keyOnWire({ caller, apiKey }: KeyShownOnce): Static<typeof KeyResponse> {
  return { response: { user: onWire(caller), api_key: apiKey } };
}
