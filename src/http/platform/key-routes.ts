/** The account's API administration area: administrators list and create keys, the API owner resets them. */
import { type Static, Type } from 'typebox';
import type { Caller } from '../../model/account.ts';
import { permissions } from '../../model/permission.ts';
import { fieldProblem } from '../../model/problem.ts';
import {
  type AdministerNeeds,
  createKey,
  type KeyShownOnce,
  listKeys,
  resetKey,
} from '../../product/account/administer.ts';
import type { Offer } from './offer.ts';

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

const KeyAnswer = Type.Object({
  response: Type.Object({
    user: ApiUser,
    api_key: Type.String({ description: 'shown this once and never again' }),
  }),
});

export function keyRoutes(offer: Offer, needs: AdministerNeeds): void {
  offer('getAccountKeys', {
    parameters: Type.Object({}),
    answer: Type.Object({ response: Type.Object({ users: Type.Array(ApiUser) }) }),
    draw: 'free',
    run: async ({ caller }) => ({ response: { users: (await listKeys(caller, needs)).map(onWire) } }),
  });

  offer('postAccountKey', {
    parameters: Type.Object({
      username: Type.String(),
      permissions: Type.Optional({ ...PermissionList, default: ['read'] }),
      expires: Type.Optional(
        Type.String({ description: 'ISO 8601 with a time zone; without it the key does not expire' }),
      ),
    }),
    answer: KeyAnswer,
    draw: 'free',
    run: async ({ caller, parameters, nowMs }) => {
      const expiresMs = parameters.expires === undefined ? undefined : expiry(parameters.expires, nowMs);
      const request = {
        username: parameters.username,
        permissions: parameters.permissions ?? ['read'],
        expiresMs,
      };
      return shown(await createKey(caller, request, needs));
    },
  });

  offer('postAccountKeyReset', {
    parameters: Type.Object({ username: Type.String() }),
    answer: KeyAnswer,
    draw: 'free',
    run: async ({ caller, parameters }) => shown(await resetKey(caller, parameters.username, needs)),
  });
}

function expiry(text: string, nowMs: number): number {
  const expiresMs = /(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(expiresMs)) {
    throw fieldProblem(
      'invalid-parameters',
      'expires',
      'must be ISO 8601 with a time zone, as 2027-01-01T00:00:00Z',
    );
  }
  if (expiresMs <= nowMs) throw fieldProblem('invalid-parameters', 'expires', 'must lie in the future');
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

function shown({ caller, apiKey }: KeyShownOnce): Static<typeof KeyAnswer> {
  return { response: { user: onWire(caller), api_key: apiKey } };
}
