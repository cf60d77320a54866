import type { Key, KeyChangeBody, KeyList } from '../../../data/account/keys-and-usage.ts';
import { type KeyGrants, readAddresses, readChannels } from './key-presets.ts';

type Grants = Pick<KeyChangeBody, 'permissions' | 'products' | 'passive_dns' | 'channels' | 'addresses'>;

/** What is sent; undefined while the channels are not numbers. */
export function bodyOf(grants: KeyGrants, addresses: string, { grantable }: KeyList): Grants | undefined {
  const { permissions, products, passiveDns, channels } = grants;
  const chosen = channels === null ? null : readChannels(channels);
  if (chosen === undefined) return undefined;
  return {
    permissions: [...permissions],
    products: products === null ? null : ([...products] as NonNullable<KeyChangeBody['products']>),
    passive_dns: passiveDns,
    // "All" is all that there is to give.
    channels: chosen === 'all' && grantable.channels !== null ? grantable.channels : chosen,
    addresses: readAddresses(addresses),
  };
}

/** A key as the form shows it. */
export function grantsOf({ permissions, products, passive_dns: pdns, channels }: Key): KeyGrants {
  return {
    permissions,
    products,
    passiveDns: pdns !== 'none',
    channels: channels === null ? null : channels === 'all' ? '' : channels.join(', '),
  };
}
