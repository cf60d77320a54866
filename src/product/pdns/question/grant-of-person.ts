/**
 * Whose quota the lookups of a person in the web UI are charged to: that of the API user of the same name; else of the API owner of the account;
 * else of its first user, by name, with a passive DNS key. People have no key themselves.
 */
import { type Caller, isWithdrawn } from '../../../model/account/account.ts';
import type { Clock } from '../../../model/clock.ts';
import { Problem } from '../../../model/problem.ts';
import type { AccountStore } from '../../../store/account-store.ts';
import type { PdnsCaller } from '../quota.ts';

export interface GrantNeeds {
  readonly accounts: Pick<AccountStore, 'listUsers'>;
  readonly clock: Clock;
}

const usersPerPage = 100;

/** Throws `not-provisioned`, or `quota-expired` for a block that has ended. */
export async function getPdnsGrant(caller: Caller, needs: GrantNeeds): Promise<PdnsCaller> {
  const holder = isWithdrawn(caller.account, 'pdns') ? undefined : await findHolder(caller, needs);
  if (!holder) throw new Problem('not-provisioned', 'No user of the account has a passive DNS key.');
  const { quota } = holder.grant;
  if (quota.type === 'block' && needs.clock.now() >= quota.expiresMs)
    throw new Problem('quota-expired', 'Quota is expired');
  return holder;
}

async function findHolder(caller: Caller, { accounts }: GrantNeeds): Promise<PdnsCaller | undefined> {
  let found: PdnsCaller | undefined;
  for (let after: string | undefined = ''; after !== undefined; ) {
    const users = await accounts.listUsers({ accountId: caller.account.id, after, limit: usersPerPage });
    for (const one of users) {
      const grant = one.user.pdns;
      if (!grant) continue;
      if (one.user.username === caller.user.username) return { ...one, grant };
      if (!found || (one.user.apiOwner && !found.user.apiOwner)) found = { ...one, grant };
    }
    after = users.length < usersPerPage ? undefined : users.at(-1)?.user.username;
  }
  return found;
}
