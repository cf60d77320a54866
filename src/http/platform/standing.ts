/** Whether a caller whose answer goes on and on may still have it: the same key, the account, the product. */
import { createHash } from 'node:crypto';
import type { Caller } from '../../model/account.ts';
import type { Clock } from '../../model/clock.ts';
import { Problem } from '../../model/problem.ts';
import { type Access, authorize } from '../../product/account/authorize.ts';
import type { AccountStore } from '../../store/account-store.ts';

export interface StandingNeeds {
  readonly accounts: Pick<AccountStore, 'findByUsername' | 'findSigningKey'>;
  readonly clock: Clock;
}

const everyMs = 500;

/** Looks again and again, and calls `onLost` when it is over. Gives what ends the looking. */
export async function watchStanding(
  { user }: Caller,
  access: Access,
  needs: StandingNeeds,
  onLost: () => void,
): Promise<() => void> {
  const first = await findKeyDigest(user.username, needs);
  const look = async () => {
    try {
      const same = first !== undefined && first === (await findKeyDigest(user.username, needs));
      if (!same || !(await mayGoOn(user.username, access, needs))) onLost();
    } catch {
      // Whoever cannot be asked for is not let in by that.
      onLost();
    }
  };
  const timer = setInterval(() => void look(), everyMs).unref();
  return () => clearInterval(timer);
}

/** The key itself is not kept for as long as a tail lasts. */
async function findKeyDigest(username: string, { accounts }: StandingNeeds): Promise<string | undefined> {
  const key = await accounts.findSigningKey(username);
  return key === undefined ? undefined : createHash('sha256').update(key).digest('base64');
}

async function mayGoOn(
  username: string,
  access: Access,
  { accounts, clock }: StandingNeeds,
): Promise<boolean> {
  const caller = await accounts.findByUsername(username);
  const nowMs = clock.now();
  if (!caller || nowMs >= (caller.user.keyExpiresMs ?? Number.POSITIVE_INFINITY)) return false;
  try {
    authorize(caller, access, nowMs);
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
