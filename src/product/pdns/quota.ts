/**
 * Quotas of passive DNS keys. The values are modelled as they occur on the wire: a number, `unlimited`, or `n/a`; a
 * member that does not apply is absent.
 */

import { type Caller, isWithdrawn, type PdnsGrant, type PdnsQuota } from '../../model/account/account.ts';
import { findKeyRefusal } from '../../model/account/key-restrictions.ts';
import { calendarWindow } from '../../model/account/limit.ts';
import { pdnsLimits } from '../../model/account/pdns-limits.ts';
import { permits } from '../../model/account/permission.ts';
import { containsAddress } from '../../model/address/address-list.ts';
import type { Clock } from '../../model/clock.ts';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { AccountStore } from '../../store/account-store.ts';
import type { UsageStore } from '../../store/usage-store.ts';
import type { Allowance } from './page.ts';

export interface QuotaNeeds {
  readonly accounts: Pick<AccountStore, 'findByKey'>;
  readonly usage: Pick<UsageStore, 'charge' | 'remainingOf' | 'noteRefusal'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'pdns'>;
}

export interface QuotaState {
  readonly limit: number | 'unlimited';
  readonly remaining: number | 'n/a';
  readonly resetSeconds: number | 'n/a';
  readonly expiresSeconds?: number;
}

export interface Rate extends QuotaState, Allowance {
  readonly burst?: { readonly size: number; readonly windowSeconds: number };
}

export interface PdnsCaller extends Caller {
  readonly grant: PdnsGrant;
}

/** What a request presents for access. The client address is read only for keys that are bound to addresses. */
export interface AccessRequest {
  readonly key: string | undefined;
  readonly apiVersion: number;
  readonly client: { readonly ip: string };
}

/** The user that holds the key, if there is one. */
export function findKeyHolder({ key }: AccessRequest, { accounts }: QuotaNeeds): Promise<Caller | undefined> {
  if (!key) throw new Problem('credentials-missing', 'the header X-API-Key is missing');
  return accounts.findByKey(key);
}

/** Throws unless the holder of a key may use this version of the API from this address. */
export function authorize(caller: Caller | undefined, from: AccessRequest, needs: QuotaNeeds): PdnsCaller {
  if (!caller) throw unknownKey();
  const { pdns: grant } = caller.user;
  const atMs = needs.clock.now();
  const why = findKeyRefusal(caller.user, from.client, atMs);
  if (why !== undefined) {
    needs.usage.noteRefusal(caller.user.id, { atMs, address: from.client.ip, why });
    throw why === 'expired' ? new Problem('credentials-expired', 'the API key has expired') : unknownKey();
  }
  if (!grant || !caller.account.active || isWithdrawn(caller.account, 'pdns')) {
    throw new Problem('not-provisioned', 'the API key is not authorized for passive DNS');
  }
  if (!permits(caller.user.permissions, 'read')) {
    throw new Problem('permission-denied', 'the user of the API key may only append to channels, not read');
  }
  if (grant.allowedAddresses.length > 0 && !containsAddress(grant.allowedAddresses, from.client.ip)) {
    throw new Problem('address-not-allowed', 'the client address is not authorized for this API key');
  }
  if (!grant.apiVersions.includes(from.apiVersion)) {
    throw new Problem('permission-denied', `the API key may not query version ${from.apiVersion} of the API`);
  }
  if (grant.quota.type === 'block' && needs.clock.now() >= grant.quota.expiresMs) {
    throw new Problem('quota-expired', 'Quota is expired');
  }
  return { user: caller.user, account: caller.account, grant };
}

/** Also for a key that works from other addresses: who has stolen it must not learn that. */
function unknownKey(): Problem {
  return new Problem('credentials-invalid', 'the API key is not valid');
}

/** The limits of the key, else those of the settings. */
export function allowanceOf(grant: PdnsGrant, { pdns }: Pick<Settings, 'pdns'>): Allowance {
  return {
    resultsMax: grant.resultsMax ?? pdns.resultsMax,
    offsetMax: grant.offsetMax === 'none' ? 'n/a' : (grant.offsetMax ?? pdns.offsetMax),
  };
}

/** The state of a key's quota. Reading it is not charged. */
export async function rateOf(caller: PdnsCaller, needs: QuotaNeeds): Promise<Rate> {
  const { grant } = caller;
  const general = {
    ...allowanceOf(grant, needs.settings),
    ...(grant.burst ? { burst: grant.burst } : {}),
  };
  if (grant.quota.type === 'unlimited') return { ...unlimited, ...general };
  const nowMs = needs.clock.now();
  const [remaining = 0] = await needs.usage.remainingOf(pdnsLimits(caller.user, grant).slice(0, 1), nowMs);
  return { ...stateOf(grant.quota, remaining, nowMs), ...general };
}

/**
 * Charges one lookup and returns the state after it, or throws the Problem `limit-exceeded` and charges nothing. Synchronous for a
 * key without any limit.
 */
export function chargeLookup(caller: PdnsCaller, needs: QuotaNeeds): QuotaState | Promise<QuotaState> {
  return findUnlimited(caller.grant) ?? chargeLimits(caller, needs);
}

/** The state of a key without any limit, which a lookup does not change; undefined for other keys. */
export function findUnlimited({ quota, burst }: PdnsGrant): QuotaState | undefined {
  return quota.type === 'unlimited' && !burst ? unlimited : undefined;
}

async function chargeLimits(caller: PdnsCaller, needs: QuotaNeeds): Promise<QuotaState> {
  const { quota } = caller.grant;
  const limits = pdnsLimits(caller.user, caller.grant);
  const [primary] = limits;
  const counted = quota.type === 'unlimited' || !primary ? {} : { remainingOf: primary };
  const nowMs = needs.clock.now();
  const outcome = await needs.usage.charge({ limits, ...counted }, nowMs);
  if (outcome.granted) return stateOf(quota, outcome.remaining ?? 0, nowMs);
  const { refusedBy, retryAfterMs } = outcome;
  const retry =
    retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1000)) };
  throw new Problem('limit-exceeded', 'Rate limit exceeded', {
    limit: { product: 'pdns', size: refusedBy.size, window: refusedBy.name, ...retry },
  });
}

const unlimited: QuotaState = { limit: 'unlimited', remaining: 'n/a', resetSeconds: 'n/a' };

function stateOf(quota: PdnsQuota, remaining: number, nowMs: number): QuotaState {
  switch (quota.type) {
    case 'unlimited':
      return unlimited;
    case 'block': {
      const expiresSeconds = Math.floor(quota.expiresMs / 1000);
      return { limit: quota.limit, remaining, resetSeconds: 'n/a', expiresSeconds };
    }
    case 'time': {
      const resetSeconds = Math.ceil(calendarWindow(quota.period, nowMs).endMs / 1000);
      return { limit: quota.limit, remaining, resetSeconds };
    }
  }
}
