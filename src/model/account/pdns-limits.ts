/** The limits of passive DNS keys, under the names by which their use is stored. */
import type { PdnsGrant, User } from './account.ts';
import { burst, type CountedLimit, calendar } from './limit.ts';

/** What one lookup or summary is charged to. The primary quota, where there is one, comes first. */
export function pdnsLimits(user: Pick<User, 'id'>, grant: PdnsGrant): CountedLimit[] {
  const subject = `key:${grant.countedWith ?? user.id}/pdns`;
  const limits: CountedLimit[] = [];
  if (grant.quota.type === 'time') {
    limits.push({ ...calendar('quota', grant.quota.limit, grant.quota.period), subject });
  }
  if (grant.quota.type === 'block') {
    // A new block (another size or expiry) is a new counter.
    const block = `block-${grant.quota.limit}-${grant.quota.expiresMs}`;
    limits.push({ name: block, size: grant.quota.limit, window: { kind: 'block' }, subject });
  }
  if (grant.burst) limits.push({ ...burst(grant.burst.size, grant.burst.windowSeconds), subject });
  return limits;
}
