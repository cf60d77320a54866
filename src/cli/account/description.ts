/** A user and the account in the form that `list --json`, `show` and `create --json` print. */
import type { Caller } from '../../model/account/account.ts';

export function describe({ user, account }: Caller) {
  return {
    username: user.username,
    account: account.name,
    active: account.active,
    permissions: user.permissions,
    api_owner: user.apiOwner,
    created: new Date(user.createdMs).toISOString(),
    key_expires: user.keyExpiresMs === undefined ? null : new Date(user.keyExpiresMs).toISOString(),
    key_allow: user.keyAddresses ?? 'any',
    key_products: user.products ?? 'all',
    created_by: user.createdBy ?? null,
    batch_key: user.hasBatchKey ? 'set' : 'none',
    channels: user.channels,
    pdns: user.pdns ?? 'not authorized',
    products: account.products,
    ...(account.ownChannels ? { own_channels: account.ownChannels } : {}),
    ...(account.withdrawn ? { withdrawn: account.withdrawn } : {}),
  };
}
