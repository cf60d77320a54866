/** API keys and what they may do, on the wire. */
import { type Static, Type } from 'typebox';
import { type ProductId, productIds } from '../../../model/product-catalogue.ts';
import { PermissionList } from '../session/people-wire.ts';
import { NullableText, nullable, oneOf } from '../wire-values.ts';

const ProductList = Type.Array(Type.Unsafe<ProductId>({ type: 'string', enum: [...productIds] }), {
  maxItems: productIds.length,
});
const Channels = Type.Unsafe<'all' | readonly number[] | null>({
  anyOf: [
    { const: 'all' },
    { type: 'array', items: { type: 'integer', minimum: 1, maximum: 255 }, maxItems: 255 },
    { type: 'null' },
  ],
  description: 'channels of the batch key; null: no batch key',
});
const Products = Type.Union([ProductList, Type.Null()], { description: 'null: all of the account' });
const Addresses = Type.Array(Type.String({ maxLength: 64 }), {
  maxItems: 50,
  description: 'addresses and prefixes from which the keys work; none: from everywhere',
});
const Expires = Type.Union([Type.String({ maxLength: 40 }), Type.Null()], {
  description: 'ISO 8601 with a time zone; null: never',
});

export const WireKey = Type.Object({
  username: Type.String(),
  prefix: { ...NullableText, description: 'the first characters of the API key' },
  permissions: PermissionList,
  products: Products,
  expires: NullableText,
  expired: Type.Boolean(),
  addresses: Type.Array(Type.String()),
  passive_dns: oneOf(['own', 'shared', 'none'], 'shared: on the quota of the API owner'),
  channels: Channels,
  api_owner: Type.Boolean(),
  created: Type.String(),
  created_by: NullableText,
  last_used: nullable<{ readonly at: string; readonly address: string }>(),
  last_refused: nullable<{
    readonly at: string;
    readonly address: string;
    readonly why: 'expired' | 'address';
  }>('a right key that was refused'),
  days: Type.Array(Type.Integer(), { description: 'requests of the last 30 days, today last' }),
});
export type WireKey = Static<typeof WireKey>;

export const KeysAnswer = Type.Object({
  keys: Type.Array(WireKey),
  owner: { ...NullableText, description: 'the API owner, who alone resets keys' },
  grantable: Type.Object({ products: ProductList, passive_dns: Type.Boolean(), channels: Channels }),
  your_address: Type.String(),
  api_url: Type.String(),
});
export type KeysAnswer = Static<typeof KeysAnswer>;

const grants = {
  addresses: Type.Optional(Addresses),
  products: Type.Optional(Products),
  passive_dns: Type.Optional(Type.Boolean()),
  channels: Type.Optional(Channels),
  expires: Type.Optional(Expires),
};
export const NewKeyBody = Type.Object({
  username: Type.String({ maxLength: 64 }),
  permissions: Type.Optional(PermissionList),
  ...grants,
});
export type NewKeyBody = Static<typeof NewKeyBody>;
export const KeyChangeBody = Type.Object({ permissions: Type.Optional(PermissionList), ...grants });
export type KeyChangeBody = Static<typeof KeyChangeBody>;

/** Secrets are shown only in this answer. */
export const KeyAnswer = Type.Object({
  key: WireKey,
  api_key: Type.Optional(Type.String()),
  batch_key: Type.Optional(Type.String()),
});
export type KeyAnswer = Static<typeof KeyAnswer>;

/** What `GET /v1/account/` answered to the key, from the address of the browser. */
export const KeyTestAnswer = Type.Object({
  status: Type.Integer(),
  body: Type.String({ description: 'the answer as it was sent' }),
  milliseconds: Type.Integer(),
});
export type KeyTestAnswer = Static<typeof KeyTestAnswer>;
