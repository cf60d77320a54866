/**
 * API key administration by the account itself: administrators list, create, change and remove keys, the API owner resets them. The API
 * owner's own key is managed by the API owner alone.
 */
import type { Caller, User } from '../../model/account/account.ts';
import { findUsernameFault, newApiKey, newBatchKey } from '../../model/account/api-key.ts';
import type { Permission } from '../../model/account/permission.ts';
import type { Clock } from '../../model/clock.ts';
import { fieldProblem, Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { AccountStore, UserChange } from '../../store/account-store.ts';
import { checkGrants, grantableIn, type KeyGrants } from './key-grants.ts';

export interface AdministerNeeds {
  readonly accounts: Pick<
    AccountStore,
    'createUser' | 'findByUsername' | 'listUsers' | 'resetKey' | 'updateUser' | 'removeUser'
  >;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'limits'>;
}

export interface KeyShownOnce {
  readonly caller: Caller;
  readonly apiKey: string;
  readonly batchKey?: string;
}

export interface KeyRequest extends KeyGrants {
  readonly username: string;
  readonly permissions: readonly Permission[];
  readonly expiresMs?: number | undefined;
}

/** Members left out stay; `null` removes. */
export interface KeyChange extends KeyGrants {
  readonly permissions?: readonly Permission[] | undefined;
  readonly expiresMs?: number | null | undefined;
}

export interface ChangedKey {
  readonly caller: Caller;
  /** Where the change made one; shown once. */
  readonly batchKey?: string;
}

/** More than an account can have, whatever the settings were before. */
const listedMax = 10_000;
/** The same for every reason, because usernames are unique on the whole server: another account's users are not disclosed. */
const unusable = 'cannot be used; choose another one';

export function listKeys(admin: Caller, needs: AdministerNeeds): Promise<readonly Caller[]> {
  return needs.accounts.listUsers({ accountId: admin.account.id, limit: listedMax });
}

export async function createKey(
  admin: Caller,
  request: KeyRequest,
  needs: AdministerNeeds,
): Promise<KeyShownOnce> {
  const apiKey = newApiKey();
  const { username, permissions, expiresMs, addresses, products, hasPdns, channels } = request;
  const fault = findUsernameFault(username);
  if (fault) throw fieldProblem('invalid-parameters', 'username', fault);
  const { usersPerAccountMax: usersMax } = needs.settings.limits;
  const account = admin.account.name;
  const grantable = await grantableIn(admin, needs);
  checkGrants(request, grantable);
  const batch = channels ? { key: newBatchKey(), channels } : undefined;
  const user = {
    account,
    username,
    permissions,
    apiKey,
    usersMax,
    batch,
    keyExpiresMs: expiresMs,
    keyAddresses: addresses,
    products: products ?? undefined,
    pdnsSharedWith: hasPdns ? grantable.owner?.user.username : undefined,
  };
  try {
    const caller = await needs.accounts.createUser(user, [], author(admin, needs));
    return { caller, apiKey, ...(batch ? { batchKey: batch.key } : {}) };
  } catch (error) {
    if (error instanceof Problem && error.code === 'already-exists') {
      throw fieldProblem('invalid-parameters', 'username', unusable);
    }
    throw error;
  }
}

/** The old key stops working at once, for good. */
export async function resetKey(
  owner: Caller,
  username: string,
  needs: AdministerNeeds,
): Promise<KeyShownOnce> {
  await getUser(owner, username, needs);
  if (!owner.user.apiOwner) throw ownerOnly('Only the API owner of the account may reset keys.');
  const apiKey = newApiKey();
  const user = await needs.accounts.resetKey(username, apiKey, author(owner, needs));
  return { caller: { user, account: owner.account }, apiKey };
}

export async function changeKey(
  admin: Caller,
  username: string,
  change: KeyChange,
  needs: AdministerNeeds,
): Promise<ChangedKey> {
  const { user } = await getManaged(admin, username, needs);
  const grantable = await grantableIn(admin, needs);
  // What the operator gave this key already may stay.
  checkGrants(
    { ...change, channels: sameChannels(change.channels, user) ? undefined : change.channels },
    grantable,
  );
  const { permissions, expiresMs, addresses, products, channels } = change;
  const batchKey = channels && !user.hasBatchKey ? newBatchKey() : undefined;
  const caller = await needs.accounts.updateUser(
    username,
    {
      permissions,
      products,
      ...pdnsChange(change.hasPdns, user, grantable.owner?.user.username),
      keyExpiresMs: expiresMs,
      keyAddresses: addresses,
      batchKey: channels === null && user.hasBatchKey ? null : batchKey,
      channels: channels === null ? [] : channels,
    },
    author(admin, needs),
  );
  return { caller, ...(batchKey === undefined ? {} : { batchKey }) };
}

/** The user with all its keys, for good. */
export async function removeKey(admin: Caller, username: string, needs: AdministerNeeds): Promise<void> {
  await getManaged(admin, username, needs);
  await needs.accounts.removeUser(username, author(admin, needs));
}

/** A grant of its own, which only the operator can give, stays until it is taken. */
function pdnsChange(hasPdns: boolean | undefined, { pdns }: User, owner: string | undefined): UserChange {
  if (hasPdns === undefined || hasPdns === (pdns !== undefined)) return {};
  return hasPdns ? { pdnsSharedWith: owner } : { pdns: null };
}

function sameChannels(channels: KeyGrants['channels'], { channels: before, hasBatchKey }: User): boolean {
  return hasBatchKey && JSON.stringify(channels) === JSON.stringify(before);
}

/** A user of another account is indistinguishable from one that does not exist. */
async function getUser(admin: Caller, username: string, { accounts }: AdministerNeeds): Promise<Caller> {
  const found = await accounts.findByUsername(username);
  if (found?.account.id !== admin.account.id)
    throw new Problem('not-found', 'The account has no user with that name.');
  return found;
}

async function getManaged(admin: Caller, username: string, needs: AdministerNeeds): Promise<Caller> {
  const found = await getUser(admin, username, needs);
  if (found.user.apiOwner && !admin.user.apiOwner)
    throw ownerOnly(`${username} is the API owner of the account, whose key nobody else changes.`);
  return found;
}

function ownerOnly(message: string): Problem {
  return new Problem('permission-denied', message);
}

function author(caller: Caller, needs: AdministerNeeds) {
  return { actor: caller.user.username, atMs: needs.clock.now() };
}
