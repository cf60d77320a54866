/** When and from where the keys of a user work: the API key by header, by query or as the secret of a signature, and the batch key. */
import { containsAddress } from '../address/address-list.ts';
import type { User } from './account.ts';

/** Why a right key is refused; undefined if it is not. The address is read only for keys that are bound to addresses. */
export function findKeyRefusal(
  { keyExpiresMs, keyAddresses }: User,
  client: { readonly ip: string },
  nowMs: number,
): 'expired' | 'address' | undefined {
  if (keyExpiresMs !== undefined && nowMs >= keyExpiresMs) return 'expired';
  if (keyAddresses !== undefined && !containsAddress(keyAddresses, client.ip)) return 'address';
  return undefined;
}
