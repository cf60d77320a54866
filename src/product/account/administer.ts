/**
 * The account's API administration: its administrators list and create keys, its API owner resets them. Batch and
 * passive DNS keys come from the operator only (`operate.ts`), so a user made here has neither.
 */
import type { Caller } from '../../model/account.ts';
import { newApiKey, usernameFault } from '../../model/api-key.ts';
import type { Clock } from '../../model/clock.ts';
import type { Permission } from '../../model/permission.ts';
import { fieldProblem, Problem } from '../../model/problem.ts';
import type { AccountStore } from '../../store/account-store.ts';

export interface AdministerNeeds {
  readonly accounts: Pick<AccountStore, 'createUser' | 'findByUsername' | 'listUsers' | 'resetKey'>;
  readonly clock: Clock;
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

const usersMax = 10_000;

export function listKeys(admin: Caller, needs: AdministerNeeds): Promise<readonly Caller[]> {
  return needs.accounts.listUsers({ accountId: admin.account.id, limit: usersMax });
}

export async function createKey(
  admin: Caller,
  request: KeyRequest,
  needs: AdministerNeeds,
): Promise<KeyShownOnce> {
  const apiKey = newApiKey();
  const { username, permissions, expiresMs } = request;
  const fault = usernameFault(username);
  if (fault) throw fieldProblem('invalid-parameters', 'username', fault);
  const user = { account: admin.account.name, username, permissions, apiKey, keyExpiresMs: expiresMs };
  try {
    return { caller: await needs.accounts.createUser(user, [], author(admin, needs)), apiKey };
  } catch (error) {
    if (error instanceof Problem && error.code === 'already-exists') {
      throw fieldProblem('invalid-parameters', 'username', error.message);
    }
    throw error;
  }
}

/** A user of another account looks exactly like one that does not exist. */
export async function resetKey(
  owner: Caller,
  username: string,
  needs: AdministerNeeds,
): Promise<KeyShownOnce> {
  const found = await needs.accounts.findByUsername(username);
  if (found?.account.id !== owner.account.id) {
    throw new Problem('not-found', 'The account has no user of that name.');
  }
  const apiKey = newApiKey();
  const user = await needs.accounts.resetKey(username, apiKey, author(owner, needs));
  return { caller: { user, account: owner.account }, apiKey };
}

function author(caller: Caller, needs: AdministerNeeds) {
  return { actor: caller.user.username, atMs: needs.clock.now() };
}
