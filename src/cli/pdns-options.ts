/** The options that describe a passive DNS key. */
import { InvalidArgumentError } from 'commander';
import type { PdnsGrant, PdnsQuota } from '../model/account.ts';
import { isAddressRange } from '../model/address-range.ts';
import { type CalendarPeriod, dayPeriod } from '../model/limit.ts';
import { unlimitedPdns } from '../product/account/operate.ts';
import { readInstant, readPositive, readWhole } from './argument-readers.ts';

export interface PdnsOptions {
  readonly pdnsQuota?: PdnsQuota | 'none';
  readonly pdnsBurst?: { readonly size: number; readonly windowSeconds: number };
  readonly pdnsResultsMax?: number;
  readonly pdnsOffsetMax?: number | 'none';
  readonly pdnsAllow?: readonly string[];
  readonly pdnsVersions?: readonly number[];
}

/** What is left out stays as in `before`. */
export function pdnsGrantOf(options: PdnsOptions, before: PdnsGrant = unlimitedPdns): PdnsGrant | undefined {
  const { pdnsQuota: quota = before.quota } = options;
  if (quota === 'none') return undefined;
  return {
    ...before,
    quota,
    ...(options.pdnsBurst ? { burst: options.pdnsBurst } : {}),
    ...(options.pdnsResultsMax === undefined ? {} : { resultsMax: options.pdnsResultsMax }),
    ...(options.pdnsOffsetMax === undefined ? {} : { offsetMax: options.pdnsOffsetMax }),
    allowedAddresses: options.pdnsAllow ?? before.allowedAddresses,
    apiVersions: options.pdnsVersions ?? before.apiVersions,
  };
}

const periods: Readonly<Record<string, CalendarPeriod>> = {
  hourly: 3600,
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
      'Say unlimited, none, daily:N, hourly:N, monthly:N, 600s:N or block:N:EXPIRES.',
    );
  }
  return { type: 'time', limit, period };
}

export function readBurst(text: string): { size: number; windowSeconds: number } {
  const [size = '', windowSeconds = '', ...rest] = text.split(':');
  if (rest.length > 0) throw new InvalidArgumentError('Say a size and seconds, as 10:60.');
  return { size: readPositive(size), windowSeconds: readPositive(windowSeconds) };
}

export function readOffsetMax(text: string): number | 'none' {
  return text === 'n/a' || text === 'none' ? 'none' : readWhole(text);
}

export function readAddressRange(text: string): string {
  if (!isAddressRange(text))
    throw new InvalidArgumentError('Say an address or a prefix such as 192.0.2.0/24.');
  return text;
}
