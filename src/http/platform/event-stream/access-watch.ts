/** Ends a long-running response when its caller loses access: another key, an expired key, no product or permission any more. */
import { createHash } from 'node:crypto';
import type { Caller } from '../../../model/account/account.ts';
import { findKeyRefusal } from '../../../model/account/key-restrictions.ts';
import type { Clock } from '../../../model/clock.ts';
import { Problem } from '../../../model/problem.ts';
import { type Access, authorize } from '../../../product/account/authorize.ts';
import type { AccountStore } from '../../../store/account-store.ts';

export interface AccessWatchNeeds {
  readonly accounts: Pick<AccountStore, 'findByUsername' | 'findSigningKey'>;
  readonly clock: Clock;
}

interface Watched {
  readonly caller: Caller;
  readonly client: { readonly ip: string };
}

const pollMs = 500;

/** Polls the caller's access and calls `onLost` when it is gone. Returns a function that stops polling. */
export async function watchAccess(
  { caller: { user }, client }: Watched,
  access: Access,
  needs: AccessWatchNeeds,
  onLost: () => void,
): Promise<() => void> {
  // The connection may be gone when it is needed.
  const address = { ip: client.ip };
  const first = await findKeyDigest(user.username, needs);
  const poll = async () => {
    try {
      const same = first !== undefined && first === (await findKeyDigest(user.username, needs));
      if (!same || !(await hasAccess(user.username, access, address, needs))) onLost();
    } catch {
      // Fail closed: access that cannot be checked is treated as lost.
      onLost();
    }
  };
  const timer = setInterval(() => void poll(), pollMs).unref();
  return () => clearInterval(timer);
}

/** A digest, so that the key itself does not stay in memory as long as the response lasts. */
async function findKeyDigest(username: string, { accounts }: AccessWatchNeeds): Promise<string | undefined> {
  const key = await accounts.findSigningKey(username);
  return key === undefined ? undefined : createHash('sha256').update(key).digest('base64');
}

async function hasAccess(
  username: string,
  access: Access,
  client: { readonly ip: string },
  { accounts, clock }: AccessWatchNeeds,
): Promise<boolean> {
  const caller = await accounts.findByUsername(username);
  const nowMs = clock.now();
  if (!caller || findKeyRefusal(caller.user, client, nowMs) !== undefined) return false;
  try {
    authorize(caller, access, nowMs);
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
