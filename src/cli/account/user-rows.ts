/** A user and its account as names and values for people. */
import type { Caller, PdnsGrant, PdnsQuota } from '../../model/account/account.ts';
import type { CalendarPeriod } from '../../model/account/limit.ts';
import { daySeconds, hourSeconds } from '../../model/durations.ts';
import { numberRanges } from '../../model/number-ranges.ts';
import { describe } from './description.ts';

export function userRows(caller: Caller): readonly (readonly [name: string, value: string])[] {
  const { products: _products, own_channels: own = [], ...described } = describe(caller);
  const { channels, pdns } = caller.user;
  return Object.entries({
    ...described,
    channels: channels === 'all' ? 'all' : numberRanges(channels) || 'none',
    pdns: pdns ? pdnsText(pdns) : 'not authorized',
    own_channels: numberRanges(own) || 'none',
  }).map(([name, value]): readonly [string, string] => [name, valueText(value)]);
}

function valueText(value: unknown): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return Array.isArray(value) ? value.join(', ') : String(value);
}

function pdnsText({ quota, burst, resultsMax, offsetMax, allowedAddresses, apiVersions }: PdnsGrant): string {
  return [
    quotaText(quota),
    burst && `at most ${burst.size} in ${burst.windowSeconds} s`,
    resultsMax !== undefined && `${resultsMax} results`,
    offsetMax !== undefined && `offset ${offsetMax}`,
    allowedAddresses.length > 0 && `from ${allowedAddresses.join(', ')}`,
    `versions ${apiVersions.join(', ')}`,
  ]
    .filter(Boolean)
    .join('; ');
}

function quotaText(quota: PdnsQuota): string {
  if (quota.type === 'unlimited') return 'unlimited';
  if (quota.type === 'block') return `${quota.limit} in all until ${new Date(quota.expiresMs).toISOString()}`;
  return `${quota.limit} per ${periodText(quota.period)}`;
}

function periodText(period: CalendarPeriod): string {
  if (period === daySeconds) return 'day';
  if (period === hourSeconds) return 'hour';
  return period === 'month' ? 'month' : `${period} s`;
}
