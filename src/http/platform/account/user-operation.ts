/** The user behind the key, beyond the contract: what a client shows of the one who uses it. */
import { type Static, Type } from 'typebox';
import type { Caller } from '../../../model/account/account.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation } from '../operation/define-operation.ts';

const TextsOrNull = Type.Union([Type.Array(Type.String()), Type.Null()]);

const UserResponse = Type.Object({
  response: Type.Object({
    user: Type.Object({
      username: Type.String(),
      account: Type.String({ description: 'name of the account' }),
      permissions: Type.Array(Type.String()),
      api_owner: Type.Boolean(),
      expires: Type.Union([Type.String(), Type.Null()], { description: 'when the keys stop working' }),
      key_allow: TextsOrNull,
      key_products: TextsOrNull,
      pdns: Type.Boolean({ description: 'whether the key may use passive DNS' }),
      batch: Type.Boolean({ description: 'whether there is a batch key' }),
    }),
  }),
});

export function userOperation(): Operation {
  return defineOperation({
    id: 'getAccountUser',
    family: families.account,
    route: 'GET /account/user/',
    product: 'any',
    permission: 'read',
    summary: 'The user of the key, and what the key may do',
    parameters: Type.Object({}),
    response: UserResponse,
    charge: 'free',
    handle: async ({ caller }) => onWire(caller),
  });
}

function onWire({ user, account }: Caller): Static<typeof UserResponse> {
  const withdrawn = account.withdrawn ?? [];
  return {
    response: {
      user: {
        username: user.username,
        account: account.name,
        permissions: [...user.permissions],
        api_owner: user.apiOwner,
        expires: user.keyExpiresMs === undefined ? null : new Date(user.keyExpiresMs).toISOString(),
        key_allow: user.keyAddresses ? [...user.keyAddresses] : null,
        key_products: user.products ? [...user.products] : null,
        pdns: user.pdns !== undefined && !withdrawn.includes('pdns'),
        batch: user.hasBatchKey && !withdrawn.includes('batch'),
      },
    },
  };
}
