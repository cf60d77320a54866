/** Account administration by the operator, from the command line: create users with every kind of key, replace a key. */
import type { Caller, ChannelGrant, PdnsGrant } from '../../model/account/account.ts';
import {
  findKeyFault,
  findUsernameFault,
  isBatchKeyForm,
  newApiKey,
  newBatchKey,
} from '../../model/account/api-key.ts';
import type { Permission } from '../../model/account/permission.ts';
import type { Clock } from '../../model/clock.ts';
import { fieldProblem } from '../../model/problem.ts';
import { type ProductId, productIds } from '../../model/product-catalogue.ts';
import type { AccountStore } from '../../store/account-store.ts';

export interface OperateNeeds {
  readonly accounts: Pick<AccountStore, 'createUser' | 'resetKey'>;
  readonly clock: Clock;
}

export interface UserRequest {
  readonly username: string;
  /** By default a new account with the user's name. */
  readonly account?: string | undefined;
  readonly permissions: readonly Permission[];
  /** By default generated, like `batchKey`. */
  readonly apiKey?: string | undefined;
  readonly batchKey?: string | undefined;
  readonly keyExpiresMs?: number | undefined;
  readonly keyAddresses?: readonly string[] | undefined;
  readonly products?: readonly ProductId[] | undefined;
  readonly channels: ChannelGrant;
  readonly pdns?: PdnsGrant | undefined;
  readonly usersMax?: number | undefined;
}

export interface NewKeys {
  readonly caller: Caller;
  readonly apiKey: string;
  readonly batchKey: string;
}

export const unlimitedPdns: PdnsGrant = {
  quota: { type: 'unlimited' },
  allowedAddresses: [],
  apiVersions: [1, 2],
};

const actor = 'operator';

export async function createUser(request: UserRequest, { accounts, clock }: OperateNeeds): Promise<NewKeys> {
  const { username, account = username, permissions, channels, pdns, usersMax } = request;
  const { keyExpiresMs, keyAddresses, products } = request;
  const { apiKey = newApiKey(), batchKey = newBatchKey() } = request;
  rejectFault('username', findUsernameFault(username));
  rejectFault('account', findUsernameFault(account));
  rejectFault('key', findKeyFault(apiKey));
  if (!isBatchKeyForm(batchKey)) rejectFault('batch-key', 'a batch key is a UUID');
  const batch = { key: batchKey, channels };
  const restrictions = { keyExpiresMs, keyAddresses, products };
  const user = { account, username, permissions, apiKey, ...restrictions, batch, pdns, usersMax };
  const caller = await accounts.createUser(user, productIds, { actor, atMs: clock.now() });
  return { caller, apiKey, batchKey };
}

/** The old key stops working immediately and cannot be restored. */
export async function replaceKey(username: string, { accounts, clock }: OperateNeeds): Promise<string> {
  const apiKey = newApiKey();
  await accounts.resetKey(username, apiKey, { actor, atMs: clock.now() });
  return apiKey;
}

function rejectFault(field: string, fault: string | undefined): void {
  if (fault !== undefined) throw fieldProblem('invalid-parameters', field, fault);
}
