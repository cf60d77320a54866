/**
 * Quotas of passive DNS keys. The values are modelled as they occur on the wire: a number, `unlimited`, or `n/a`; a
 * member that does not apply is absent.
 */

import type { Caller, PdnsGrant } from '../../model/account.ts';
import { containsAddress } from '../../model/address-range.ts';
import type { Clock } from '../../model/clock.ts';
import { burst, type CountedLimit, calendar, calendarWindow } from '../../model/limit.ts';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings.ts';
import type { AccountStore } from '../../store/account-store.ts';
import type { UsageStore } from '../../store/usage-store.ts';

export interface QuotaNeeds {
  readonly accounts: Pick<AccountStore, 'findByKey'>;
  readonly usage: Pick<UsageStore, 'remainingOf'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'pdns'>;
}

export interface Rate {
  readonly limit: number | 'unlimited';
  readonly remaining: number | 'n/a';
  readonly resetSeconds: number | 'n/a';
  readonly expiresSeconds?: number;
  readonly resultsMax: number;
  readonly offsetMax: number | 'n/a';
  readonly burst?: { readonly size: number; readonly windowSeconds: number };
}

export interface PdnsCaller extends Caller {
  readonly grant: PdnsGrant;
}

/** The holder of a key who may ask this version of the API from this address. */
export async function getPdnsCaller(
  key: string | undefined,
  from: { readonly address: string; readonly apiVersion: number },
  needs: QuotaNeeds,
): Promise<PdnsCaller> {
  if (!key) throw new Problem('credentials-missing', 'the header X-API-Key is missing');
  const caller = await needs.accounts.findByKey(key);
  if (!caller) throw new Problem('credentials-invalid', 'the API key is not valid');
  const { keyExpiresMs, pdns: grant } = caller.user;
  if (keyExpiresMs !== undefined && needs.clock.now() >= keyExpiresMs) {
    throw new Problem('credentials-expired', 'the API key has expired');
  }
  if (!grant || !caller.account.active) {
    throw new Problem('not-provisioned', 'the API key is not authorized for passive DNS');
  }
  if (grant.allowedAddresses.length > 0 && !containsAddress(grant.allowedAddresses, from.address)) {
    throw new Problem('address-not-allowed', 'the client address is not authorized for this API key');
  }
  if (!grant.apiVersions.includes(from.apiVersion)) {
    throw new Problem('permission-denied', `the API key may not query version ${from.apiVersion} of the API`);
  }
  if (grant.quota.type === 'block' && needs.clock.now() >= grant.quota.expiresMs) {
    throw new Problem('quota-expired', 'Quota is expired');
  }
  return { ...caller, grant };
}

/** The limits that one lookup or summary draws on. */
export function quotaLimits({ user, grant }: PdnsCaller): CountedLimit[] {
  const subject = `key:${user.id}/pdns`;
  const limits: CountedLimit[] = [];
  if (grant.quota.type === 'time') {
    limits.push({ ...calendar('quota', grant.quota.limit, grant.quota.period), subject });
  }
  if (grant.quota.type === 'block') {
    // A new block (another size or expiry) is a new counter; the old one stays used up.
    const block = `block-${grant.quota.limit}-${grant.quota.expiresMs}`;
    limits.push({ name: block, size: grant.quota.limit, window: { kind: 'block' }, subject });
  }
  if (grant.burst) limits.push({ ...burst(grant.burst.size, grant.burst.windowSeconds), subject });
  return limits;
}

/** The state of a key's quota. Reading it costs nothing. */
export async function rateOf(caller: PdnsCaller, needs: QuotaNeeds): Promise<Rate> {
  const { grant } = caller;
  const nowMs = needs.clock.now();
  const general = {
    resultsMax: grant.resultsMax ?? needs.settings.pdns.resultsMax,
    offsetMax:
      grant.offsetMax === 'none' ? ('n/a' as const) : (grant.offsetMax ?? needs.settings.pdns.offsetMax),
    ...(grant.burst ? { burst: grant.burst } : {}),
  };
  const { quota } = grant;
  if (quota.type === 'unlimited')
    return { limit: 'unlimited', remaining: 'n/a', resetSeconds: 'n/a', ...general };
  const primary = quotaLimits(caller).filter((limit) => limit.name !== 'burst');
  const [remaining = 0] = await needs.usage.remainingOf(primary, nowMs);
  if (quota.type === 'block') {
    const expiresSeconds = Math.floor(quota.expiresMs / 1000);
    return { limit: quota.limit, remaining, resetSeconds: 'n/a', expiresSeconds, ...general };
  }
  const resetSeconds = Math.ceil(calendarWindow(quota.period, nowMs).endMs / 1000);
  return { limit: quota.limit, remaining, resetSeconds, ...general };
}
