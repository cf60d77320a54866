/**
 * What an administrator may give a key. Nothing beyond what the account has: products that it is provisioned for, channels of the API
 * owner's batch key, and the API owner's passive DNS grant, whose quota is shared so that more keys do not mean more lookups.
 */
import { type Caller, type ChannelGrant, isWithdrawn } from '../../model/account/account.ts';
import { isAddressRange } from '../../model/address/address-list.ts';
import { fieldProblem } from '../../model/problem.ts';
import type { ProductId } from '../../model/product-catalogue.ts';
import type { AccountStore } from '../../store/account-store.ts';

/** Members left out give nothing, or leave a key as it is. */
export interface KeyGrants {
  readonly addresses?: readonly string[] | undefined;
  /** Null: all products of the account. */
  readonly products?: readonly ProductId[] | null | undefined;
  readonly hasPdns?: boolean | undefined;
  /** Null: no batch key. */
  readonly channels?: ChannelGrant | null | undefined;
}

/** What keys of the account can be given. */
export interface Grantable {
  /** The API owner. */
  readonly owner?: Caller;
  readonly products: readonly ProductId[];
  readonly hasPdns: boolean;
  /** Null: none. */
  readonly channels: ChannelGrant | null;
}

export const addressesMax = 50;
const listedMax = 10_000;

export async function grantableIn(
  { account }: Caller,
  { accounts }: { readonly accounts: Pick<AccountStore, 'listUsers'> },
): Promise<Grantable> {
  const users = await accounts.listUsers({ accountId: account.id, limit: listedMax });
  const owner = users.find(({ user }) => user.apiOwner);
  const hasBatch = owner?.user.hasBatchKey === true && !isWithdrawn(account, 'batch');
  return {
    ...(owner ? { owner } : {}),
    products: account.products.map(({ product }) => product),
    hasPdns: owner?.user.pdns !== undefined && !isWithdrawn(account, 'pdns'),
    channels: hasBatch ? owner.user.channels : null,
  };
}

/** Throws `invalid-parameters` for what the account does not have. */
export function checkGrants({ addresses = [], products, hasPdns, channels }: KeyGrants, of: Grantable): void {
  const fault = (field: string, message: string) => fieldProblem('invalid-parameters', field, message);
  if (addresses.length > addressesMax) throw fault('addresses', `must be at most ${addressesMax}`);
  const wrong = addresses.find((text) => !isAddressRange(text));
  if (wrong !== undefined)
    throw fault('addresses', `must be addresses or prefixes such as 192.0.2.0/24; "${wrong}" is neither`);
  const foreign = products?.find((product) => !of.products.includes(product));
  if (foreign !== undefined) throw fault('products', `must be products of the account; ${foreign} is none`);
  if (hasPdns && !of.hasPdns)
    throw fault('passive_dns', 'the API owner has no passive DNS to share; the operator can grant it');
  if (channels && !coversChannels(of.channels, channels))
    throw fault('channels', "must be channels of the API owner's batch key; the operator can grant more");
}

function coversChannels(of: ChannelGrant | null, wanted: ChannelGrant): boolean {
  if (of === 'all') return true;
  return of !== null && wanted !== 'all' && wanted.every((channel) => of.includes(channel));
}
