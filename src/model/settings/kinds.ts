/** Schema builders for settings: each has a type, a default and a description. */
import { type Static, type TSchema, Type } from 'typebox';
import { isAddressRange } from '../address/address-list.ts';

export const text = (value: string, description: string) => Type.String({ default: value, description });
export const flag = (value: boolean, description: string) => Type.Boolean({ default: value, description });
export const whole = (value: number, description: string, minimum = 1, maximum = Number.MAX_SAFE_INTEGER) =>
  Type.Integer({ default: value, description, minimum, maximum });
export const list = <Item extends TSchema>(item: Item, value: Static<Item>[], description: string) =>
  Type.Array(item, { default: value, description });

export const addressRange = Type.Refine(
  Type.String(),
  isAddressRange,
  () => 'must be an address or a prefix such as 192.0.2.0/24',
);
export const hexTextOrEmpty = '^([0-9a-fA-F]{64})?$';
export const pathPrefixOrEmpty = '^(/[A-Za-z0-9._~-]+)*$';
export const webUrlOrEmpty = '^(https?://\\S+)?$';
export const webAddressOrEmpty = '^(https?://[^\\s/?#]+)?$';
