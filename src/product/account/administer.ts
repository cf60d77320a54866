/**
 * API key administration by the account itself: administrators list and create keys, the API owner resets them. Batch and
 * passive DNS keys come from the operator only (`operate.ts`), so a user created here has neither.
 */
import type { Caller } from '../../model/account/account.ts';
import { findUsernameFault, newApiKey } from '../../model/account/api-key.ts';
import type { Permission } from '../../model/account/permission.ts';
import type { Clock } from '../../model/clock.ts';
import { fieldProblem, Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { AccountStore } from '../../store/account-store.ts';

export interface AdministerNeeds {
  readonly accounts: Pick<AccountStore, 'createUser' | 'findByUsername' | 'listUsers' | 'resetKey'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'limits'>;
}

export interface KeyShownOnce {
  readonly caller: Caller;
  readonly apiKey: string;
}

export interface KeyRequest {
  readonly username: string;
  readonly permissions: readonly Permission[];
  readonly expiresMs?: number | undefined;
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
  const { username, permissions, expiresMs } = request;
  const fault = findUsernameFault(username);
  if (fault) throw fieldProblem('invalid-parameters', 'username', fault);
  const { usersPerAccountMax: usersMax } = needs.settings.limits;
  const account = admin.account.name;
  const user = { account, username, permissions, apiKey, keyExpiresMs: expiresMs, usersMax };
  try {
    return { caller: await needs.accounts.createUser(user, [], author(admin, needs)), apiKey };
  } catch (error) {
    if (error instanceof Problem && error.code === 'already-exists') {
      throw fieldProblem('invalid-parameters', 'username', unusable);
    }
    throw error;
  }
}

/** A user of another account is indistinguishable from one that does not exist. */
export async function resetKey(
  owner: Caller,
  username: string,
  needs: AdministerNeeds,
): Promise<KeyShownOnce> {
  const found = await needs.accounts.findByUsername(username);
  if (found?.account.id !== owner.account.id) {
    throw new Problem('not-found', 'The account has no user with that name.');
  }
  const apiKey = newApiKey();
  const user = await needs.accounts.resetKey(username, apiKey, author(owner, needs));
  return { caller: { user, account: owner.account }, apiKey };
}

function author(caller: Caller, needs: AdministerNeeds) {
  return { actor: caller.user.username, atMs: needs.clock.now() };
}
