/** The options for the passive DNS access of a user. */

import { InvalidArgumentError } from 'commander';
import type { PdnsGrant, PdnsQuota } from '../model/account/account.ts';
import { type CalendarPeriod, dayPeriod } from '../model/account/limit.ts';
import { isAddressRange } from '../model/address/address-list.ts';
import { hourSeconds } from '../model/durations.ts';
import { unlimitedPdns } from '../product/account/operate.ts';
import { readInstant, readPositive, readWhole } from './argument-readers.ts';

export interface PdnsOptions {
  readonly pdnsQuota?: PdnsQuota | 'none';
  readonly pdnsBurst?: Burst | 'none';
  readonly pdnsResultsMax?: number | 'default';
  readonly pdnsOffsetMax?: number | 'none' | 'default';
  readonly pdnsAllow?: readonly string[];
  readonly pdnsVersions?: readonly number[];
}

type Burst = NonNullable<PdnsGrant['burst']>;

/** Options that are not given keep the value of `before`; `none`, `default` and `any` reset one. Undefined means no passive DNS. */
export function pdnsGrantOf(options: PdnsOptions, before: PdnsGrant = unlimitedPdns): PdnsGrant | undefined {
  const { pdnsQuota: quota = before.quota, pdnsBurst = before.burst } = options;
  const { pdnsResultsMax = before.resultsMax, pdnsOffsetMax = before.offsetMax } = options;
  const { pdnsAllow = before.allowedAddresses, pdnsVersions = before.apiVersions } = options;
  if (quota === 'none') return undefined;
  return {
    quota,
    ...(pdnsBurst === undefined || pdnsBurst === 'none' ? {} : { burst: pdnsBurst }),
    ...(pdnsResultsMax === undefined || pdnsResultsMax === 'default' ? {} : { resultsMax: pdnsResultsMax }),
    ...(pdnsOffsetMax === undefined || pdnsOffsetMax === 'default' ? {} : { offsetMax: pdnsOffsetMax }),
    allowedAddresses: pdnsAllow.includes('any') ? [] : pdnsAllow,
    apiVersions: pdnsVersions,
  };
}

const periods: Readonly<Record<string, CalendarPeriod>> = {
  hourly: hourSeconds,
  daily: dayPeriod,
  monthly: 'month',
};

/** `unlimited`, `none`, `daily:N`, `hourly:N`, `monthly:N`, `<seconds>s:N`, `block:N:EXPIRES`. */
export function readQuota(text: string): PdnsQuota | 'none' {
  if (text === 'none') return 'none';
  if (text === 'unlimited') return { type: 'unlimited' };
  const [word = '', size = '', ...rest] = text.split(':');
  const limit = readWhole(size);
  if (word === 'block') return { type: 'block', limit, expiresMs: readInstant(rest.join(':')) };
  const seconds = /^(\d+)s$/.exec(word)?.[1];
  const period = seconds ? readPositive(seconds) : Object.hasOwn(periods, word) ? periods[word] : undefined;
  if (period === undefined || rest.length > 0) {
    throw new InvalidArgumentError(
      'Expected unlimited, none, daily:N, hourly:N, monthly:N, 600s:N or block:N:EXPIRES.',
    );
  }
  return { type: 'time', limit, period };
}

export function readBurst(text: string): Burst | 'none' {
  if (text === 'none') return text;
  const [size = '', windowSeconds = '', ...rest] = text.split(':');
  if (rest.length > 0) throw new InvalidArgumentError('Expected a size and seconds, such as 10:60.');
  return { size: readPositive(size), windowSeconds: readPositive(windowSeconds) };
}

export function readOffsetMax(text: string): number | 'none' | 'default' {
  if (text === 'default') return text;
  return text === 'n/a' || text === 'none' ? 'none' : readWhole(text);
}

export function readAddressRange(text: string): string {
  if (text !== 'any' && !isAddressRange(text))
    throw new InvalidArgumentError('Expected addresses or prefixes such as 192.0.2.0/24, or any.');
  return text;
}
